"""The SPARQL protocols over HTTP: query, update and graph store.

Imports `access`, `desk` and `http`.
Start with `sparql_routes.py`.
"""
