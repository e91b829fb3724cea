"""The soak: a server under mixed load for minutes, and what grows meanwhile."""
