"""Visibility: what each eye sees, by rendering or by rays.

Imports `dynamics`, `values`, `geometry`, `kernels` and `errors`.
Start with `visibility.py`; each renderer is a row of `renderers.py`.
"""
