"""Questions to one model: bindings, portraits, lists, similarity, discriminants.

Imports `models`, `facts` and `terms`.
Start with `query.py`.
"""
