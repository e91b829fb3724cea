"""Bullet: bodies that fall, slide and are carried. The only door to PyBullet.

Imports `values`, `scene`, `geometry`, `kernels` and `errors`.
Start with `physics.py`, then `bullet_dynamics.py`.
"""
