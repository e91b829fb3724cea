"""The process: settings, listening sockets, logs, and the command `mindboard serve`.

Imports every other floor.
Start with `serve_command.py` (arguments), `serve_run.py`, then `app.py`.
"""
