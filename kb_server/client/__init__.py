"""The client: one set of verbs over a board elsewhere, by HTTP and websocket, or in-process."""
