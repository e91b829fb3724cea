"""The board as a server: HTTP, websockets, and the one task that changes it."""
