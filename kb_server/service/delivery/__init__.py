"""Who is notified: subscriptions, outboxes, providers, wills, poses, the stage.

Imports `writing`, `access` and `settings`.
Start with `hub.py`, then `outbox.py`.
"""
