"""Websockets and server-sent events: commands in, answers and events out.

Imports `http`, `desk`, `delivery` and `access`.
Start with `sockets.py`, then `commands.py`.
"""
