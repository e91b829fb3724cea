"""One mind's world: where it believes each object to be, and why one is missing.

Imports `sight`, `relations`, `dynamics` and the floors below these.
Start with `mind.py`, then `world.py`.
"""
