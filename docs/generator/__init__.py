"""The reference, made from the code: `python -m docs.generator` writes `docs/reference/`.

A page is a function without arguments that gives its text, and a row of PAGES. What it says stands
in the code already, where it is used; a test holds the files equal to what is made here. The same
code gives the same pages on any machine, at any width of the terminal.
"""
