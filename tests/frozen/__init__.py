"""Frozen behaviour: records what the reasoner asserts for every kept recording, and compares.

It may import every room. Start reading in `recordings.py`: its table says what is recorded.
"""
