"""Transport: HTTP for calls, one websocket for events, reconnected when it breaks.

Imports `calls` and `streams`.
Start with `network.py`, then `socket.py`.
"""
