"""Arrays, poses, shapes, solids and polygons: geometry without time, names or beliefs.

Imports `tolerances` and `kernels`.
Start with `poses.py`, then `shapes.py`; `columns.py` has the arrays of rows.
"""
