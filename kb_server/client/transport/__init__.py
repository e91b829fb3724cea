"""Transport: HTTP for calls, one websocket for events, reconnected when it breaks.

Imports `streams` and `calls`.
Start with `network.py`, then `socket.py`.
"""
