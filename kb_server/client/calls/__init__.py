"""Calls: what each verb asks, the values it returns, and the errors it raises.

Imports no other floor.
Start with `calls.py`, then `values.py`.
"""
