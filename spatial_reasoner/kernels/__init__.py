"""Compiled loops: how a function becomes machine code, and the cache of that code.

Imports no other floor.
Start with `compiled.py`.
"""
