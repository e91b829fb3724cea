"""Full OWL DL beside the board: Pellet, in processes of its own, never in the write path."""
