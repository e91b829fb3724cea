"""The edge to the board: facts are asserted there, and kept up over lost connections.

Imports `errors`, `scene`, `values`, `percepts`, `sources`, `likelihood`, `actions` and `tick`.
Start with `publisher.py`; `session.py` runs sources and board together.
"""
