"""Bullet: bodies that fall, slide and are carried. The only door to PyBullet.

Imports `errors`, `kernels`, `tolerances`, `geometry`, `scene` and `values`.
Start with `physics.py`, then `bullet_dynamics.py`.
"""
