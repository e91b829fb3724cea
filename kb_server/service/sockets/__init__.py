"""Websockets and server-sent events: commands in, answers and events out.

Imports `access`, `delivery`, `desk` and `http`.
Start with `sockets.py`, then `commands.py`.
"""
