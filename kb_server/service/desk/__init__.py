"""What routes and sockets ask: reading, revising and updating the board.

Imports `delivery`, `writing`, `access`, `settings` and `errors`.
Start with `desk.py`, then `reading.py`.
"""
