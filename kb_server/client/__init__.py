"""The client: one set of verbs over a board elsewhere or in this process.

Its floors are `calls`, `streams`, `transport`, `local`, in this order.
Start with `blackboard.py`, then `calls/calls.py`.
"""
