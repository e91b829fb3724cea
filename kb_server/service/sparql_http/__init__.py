"""The SPARQL protocols over HTTP: query, update and graph store.

Imports `http`, `desk` and `access`.
Start with `sparql_routes.py`.
"""
