"""One tick: a frame goes through all minds and comes out as deltas.

Imports every floor above this line in `tests/house`.
Start with `reasoner.py`.
"""
