"""Routes of JSON over HTTP, behind the gate that every request passes.

Imports `settings`, `access` and `desk`.
Start with `routes.py`; `gate.py` refuses requests.
"""
