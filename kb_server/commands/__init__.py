"""The commands that ask a running board: find, query, watch, export, import.

Imports the public names of `kb_server`, `core`, `wire`, `client`, `sparql`, `program` and `stdio`.
Start with `arguments.py`, then a `…_command.py` and its `…_run.py`.
"""
