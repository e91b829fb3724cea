"""Bullet: bodies that fall, slide and are carried. The only door to PyBullet.

Imports `values`, `scene`, `geometry` and the floors below these.
Start with `physics.py`, then `bullet_dynamics.py`.
"""
