"""The service: HTTP, websockets, and the one task that changes the board.

Its floors stand in order in `tests/house`; each imports only earlier ones.
Start with `server/app.py`, then `writing/writer.py`.
"""
