"""Models: what each agent believes, how a request changes it, and why a fact holds.

Imports `terms`, `facts` and `reasoning`.
Start with `board.py`; `revision.py` decides what a request asserts and retracts.
"""
