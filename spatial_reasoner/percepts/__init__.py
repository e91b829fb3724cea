"""percepts."""
