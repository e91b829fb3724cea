"""What routes and sockets ask: reading, revising and updating the board.

Imports `delivery`, `writing`, `access` and `settings`.
Start with `desk.py`, then `reading.py`.
"""
