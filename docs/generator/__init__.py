"""The reference, made from the code: `python -m docs.generator` writes `docs/reference/`.

A page is a function without arguments that returns its text, and a row of PAGES. Its content
stands in the code already, where it is used; a test compares the files with the pages. The same
code gives the same pages on any machine, at any width of the terminal.
"""
