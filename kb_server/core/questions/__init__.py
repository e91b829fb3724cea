"""Questions to one model: bindings, portraits, lists, similarity, discriminants.

Imports `terms`, `facts` and `models`.
Start with `query.py`.
"""
