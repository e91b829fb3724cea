"""The journal: every delta in order, kept; the state of the board is its fold."""
