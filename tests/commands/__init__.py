"""The commands as people run them: processes of their own, against a real server."""
