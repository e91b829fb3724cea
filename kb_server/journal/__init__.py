"""The journal: stores every delta in order; the state of the board is their fold.

Imports `ontology`, `errors` and `core`.
Start with `protocol.py`, then `sqlite.py`; `recovery.py` mends a damaged file.
"""
