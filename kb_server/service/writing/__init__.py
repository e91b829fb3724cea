"""The one writer: changes in turn, each answered after the journal has it.

Imports `errors`.
Start with `writer.py`.
"""
