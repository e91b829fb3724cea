"""The edges of the spatial reasoner: recordings, sources, the websocket, and the board it tells."""
