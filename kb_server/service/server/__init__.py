"""The process: settings, listening sockets, logs, and the command `mindboard serve`.

Imports `settings`, `access`, `desk`, `http`, `sparql_http` and `sockets`.
Start with `serve_command.py` (arguments), `serve_run.py`, then `app.py`.
"""
