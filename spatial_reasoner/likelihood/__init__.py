"""How likely a fact is: samples of poses, simulated in worker processes.

Imports `belief`, `relations`, `dynamics` and the floors below these.
Start with `likelihoods.py` (who asks), then `likelihood.py` (how it is computed).
"""
