"""Relations in one world: on, in, next to, left of, held; filters and debounce.

Imports `values`, `geometry` and the floors below these.
Start with `relations.py`; `situation.py` turns truths into facts.
"""
