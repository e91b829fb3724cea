"""Terms and statements: names and literals in one normal form.

Imports no other floor.
Start with `statements.py`.
"""
