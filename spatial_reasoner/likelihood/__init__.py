"""How likely a fact is: samples of poses, simulated in worker processes.

Imports `kernels`, `tolerances`, `geometry`, `values`, `dynamics`, `relations` and `belief`.
Start with `likelihoods.py` (who asks), then `likelihood.py` (how it is computed).
"""
