"""One mind's world: where it believes each object to be, and why one is missing.

Imports `kernels`, `tolerances`, `geometry`, `scene`, `values`, `dynamics`, `relations` and `sight`.
Start with `mind.py`, then `world.py`.
"""
