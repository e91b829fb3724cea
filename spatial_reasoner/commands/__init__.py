"""The commands `mindboard perceive` and `mindboard replay`.

Imports every other floor.
Start with `perceive_command.py` (arguments), then `perceive_run.py`.
"""
