"""Reach: which agent gets a hand to which object, by inverse kinematics.

Imports `kernels`, `tolerances`, `geometry`, `scene`, `values`, `dynamics`, `relations` and
`belief`.
Start with `reach.py`.
"""
