"""Visibility: what each eye sees, by rendering or by rays.

Imports `dynamics`, `values`, `geometry` and the floors below these.
Start with `visibility.py`; each renderer is a row of `renderers.py`.
"""
