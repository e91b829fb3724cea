"""Actions that are inferred: pick, place, put, release, hand over.

Imports `kernels`, `tolerances`, `geometry`, `scene`, `values`, `relations` and `belief`.
Start with `actions.py`, then `manipulation.py`.
"""
