"""The SPARQL protocols over HTTP: query, update and graph store.

Imports `http`, `desk`, `access` and `errors`.
Start with `sparql_routes.py`.
"""
