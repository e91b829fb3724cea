"""tick."""
