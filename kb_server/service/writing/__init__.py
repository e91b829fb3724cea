"""The one writer: changes in turn, each answered when the journal is safe on disk.

Imports no other floor.
Start with `writer.py`; `journal_writer.py` writes the journal.
"""
