"""The incremental reasoner: what follows from a change, exact under retraction.

Imports `terms`, `facts` and `rules`.
Start with `reasoner.py`.
"""
