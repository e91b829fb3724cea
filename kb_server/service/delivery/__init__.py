"""The notification of clients: subscriptions, outboxes, providers, wills, poses, the stage.

Imports `settings`, `access` and `writing`.
Start with `hub.py`, then `outbox.py`.
"""
