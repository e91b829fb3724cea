"""The requests of routes and sockets: reading, revising and updating the board.

Imports `settings`, `access`, `writing` and `delivery`.
Start with `desk.py`, then `reading.py`.
"""
