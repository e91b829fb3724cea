"""The incremental reasoner: what follows from a change, exact under retraction.

Imports `rules`, `facts` and `terms`.
Start with `reasoner.py`.
"""
