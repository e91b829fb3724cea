"""Values that all later floors share: frames, deltas, rows, views.

Imports `kernels`, `tolerances`, `geometry` and `scene`.
Start with `frames.py` (in) and `delta.py` (out).
"""
