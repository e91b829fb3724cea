"""Subscriptions: events as a program iterates over them.

Imports `calls`.
Start with `streams.py`; `verbs.py` makes methods of calls.
"""
