"""Every number that decides a fact, with its unit, its range and its reason.

Imports `errors`.
Start with `tolerances.py` (all tables together), then `settings.py` (how users set them).
"""
