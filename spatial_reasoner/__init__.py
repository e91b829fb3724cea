"""The spatial reasoner: from percepts to the facts that hold in each mind's world.

Its floors stand in order in `tests/house`; each imports only earlier ones.
Start with `tick/reasoner.py`, which calls all others.
"""
