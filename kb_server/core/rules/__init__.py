"""Rules: the W3C's OWL 2 RL table as rows, SWRL, and their instances for some axioms.

Imports `terms` and `facts`.
Start with `rules.py`, then `instances.py`.
"""
