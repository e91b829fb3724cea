"""Models: what each agent believes, how a request changes it, and why a fact holds.

Imports `reasoning`, `facts` and `terms`.
Start with `board.py`; `revision.py` decides what a request asserts and retracts.
"""
