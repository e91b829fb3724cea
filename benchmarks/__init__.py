"""How fast the board is: every figure beside a peer or a floor, measured in the same run."""
