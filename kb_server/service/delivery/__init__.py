"""The notification of clients: subscriptions, outboxes, providers, wills, poses, the stage.

Imports `writing`, `access` and `settings`.
Start with `hub.py`, then `outbox.py`.
"""
