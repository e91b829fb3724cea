"""A board in this process, made of the core, behind the same verbs.

Imports `calls`, `streams` and `transport`.
Start with `local.py`.
"""
