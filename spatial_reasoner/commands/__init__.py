"""The commands `mindboard perceive` and `mindboard replay`.

Imports `errors`, `tolerances`, `scene`, `values`, `sight`, `percepts`, `sources`, `likelihood`,
`tick`, `board` and `pictures`.
Start with `perceive_command.py` (arguments), then `perceive_run.py`.
"""
