"""Values that all later floors share: frames, deltas, rows, views.

Imports `scene`, `geometry` and the floors below these.
Start with `frames.py` (in) and `delta.py` (out).
"""
