"""The edge to the board: facts are asserted there, and kept up over lost connections.

Imports `tick`, `actions`, `likelihood`, `percepts` and the floors below these.
Start with `publisher.py`; `session.py` runs sources and board together.
"""
