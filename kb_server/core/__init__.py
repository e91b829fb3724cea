"""The core: models, reasoning, questions and events, without I/O, clock or chance.

Its floors stand in order in `tests/house`; each imports only earlier ones.
Start with `models/board.py`.
"""
