"""Terms and statements: names and literals in one normal form.

Imports `errors`.
Start with `statements.py`.
"""
