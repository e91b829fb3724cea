"""SPARQL in worker processes, each with a replica of the board, replaced when it overruns.

Imports `ontology`, `errors`, `core` and `workers`.
Start with `pool.py`, then `worker.py` and `replica.py`.
"""
