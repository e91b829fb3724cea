"""Events: from a delta to the subscriptions that it concerns.

Imports `models`, `questions`, `facts` and `terms`.
Start with `events.py`.
"""
