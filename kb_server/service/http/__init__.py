"""Routes of JSON over HTTP, behind the gate that every request passes.

Imports `desk`, `access`, `settings` and `errors`.
Start with `routes.py`; `gate.py` refuses requests.
"""
