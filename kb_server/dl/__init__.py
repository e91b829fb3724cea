"""Full OWL DL: Pellet in processes of its own, never in the write path.

Imports `ontology`, `errors` and `workers`.
Start with `engine.py`, then `worker.py` and `pellet.py`.
"""
