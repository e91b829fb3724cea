"""Websockets and server-sent events: commands in, answers and events out.

Imports `http`, `desk`, `delivery`, `access` and `errors`.
Start with `sockets.py`, then `commands.py`.
"""
