"""Arrays, poses, shapes, solids and polygons: geometry without time, names or beliefs.

Imports `kernels` and `tolerances`.
Start with `poses.py`, then `shapes.py`; `columns.py` has the arrays of rows.
"""
