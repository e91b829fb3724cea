"""Plain programs that say what the clever ones must say."""
