"""Sources of percepts: each is one file, found by its entry point.

Imports `percepts` and the floors below it.
Start with `protocol.py`, then `recorded.py` as an example.
"""
