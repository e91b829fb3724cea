"""Actions that are inferred: pick, place, put, release, hand over.

Imports `belief`, `relations` and the floors below these.
Start with `actions.py`, then `manipulation.py`.
"""
