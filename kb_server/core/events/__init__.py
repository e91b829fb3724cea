"""Events: from a delta to the subscriptions that it concerns.

Imports `terms`, `facts`, `models` and `questions`.
Start with `events.py`.
"""
