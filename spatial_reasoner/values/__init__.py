"""Values that all later floors share: frames, deltas, rows, tolerances, views.

Imports `scene`, `geometry`, `kernels` and `errors`.
Start with `frames.py` (in), `delta.py` (out) and `tolerances.py` (every threshold).
"""
