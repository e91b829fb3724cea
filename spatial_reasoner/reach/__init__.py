"""Reach: which agent gets a hand to which object, by inverse kinematics.

Imports `belief`, `relations`, `dynamics` and the floors below these.
Start with `reach.py`.
"""
