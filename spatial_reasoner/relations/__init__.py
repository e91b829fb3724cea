"""Relations in one world: on, in, next to, left of, held; filters and debounce.

Imports `kernels`, `tolerances`, `geometry` and `values`.
Start with `relations.py`; `situation.py` turns truths into facts.
"""
