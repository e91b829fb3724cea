"""The requests of routes and sockets: reading, revising and updating the board.

Imports `delivery`, `writing`, `access` and `settings`.
Start with `desk.py`, then `reading.py`.
"""
