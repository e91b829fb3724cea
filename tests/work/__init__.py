"""How much is looked at for a small change: the same, however large the board."""
