"""Where percepts come from: each source a file, found by its entry point."""
