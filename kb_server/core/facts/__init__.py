"""Facts indexed for matching, and the matcher.

Imports `terms`.
Start with `facts.py`, then `matching.py`.
"""
