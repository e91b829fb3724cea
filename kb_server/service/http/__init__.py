"""Routes of JSON over HTTP, behind the gate that every request passes.

Imports `desk`, `access` and `settings`.
Start with `routes.py`; `gate.py` refuses requests.
"""
