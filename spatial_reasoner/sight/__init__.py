"""Visibility: what each eye sees, by rendering or by rays.

Imports `errors`, `kernels`, `tolerances`, `geometry`, `values` and `dynamics`.
Start with `visibility.py`; each renderer is a row of `renderers.py`.
"""
