"""The commands that ask a running board: find, query, watch, export, import."""
