"""A board in this process behind the same verbs.

Imports `transport`, `streams` and `calls`, and the core.
Start with `local.py`.
"""
