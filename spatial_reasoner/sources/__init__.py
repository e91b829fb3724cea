"""Sources of percepts: each is one file, found by its entry point.

Imports `errors`, `tolerances`, `geometry`, `scene`, `values` and `percepts`.
Start with `protocol.py`, then `recorded.py` as an example.
"""
