"""One tick: a frame goes through all minds and comes out as deltas.

Imports `kernels`, `tolerances`, `geometry`, `scene`, `values`, `dynamics`, `relations`, `sight`,
`belief`, `percepts`, `reach`, `likelihood` and `actions`.
Start with `reasoner.py`.
"""
