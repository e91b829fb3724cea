"""Benchmarks: each figure beside that of a peer or a floor, measured in the same run."""
