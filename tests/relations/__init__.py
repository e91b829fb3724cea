"""What the geometry of a world says: what is where, to what, and to whom."""
