"""Who is notified: subscriptions, outboxes, providers, wills, poses, the stage.

Imports `writing`, `access`, `settings` and `errors`.
Start with `hub.py`, then `outbox.py`.
"""
