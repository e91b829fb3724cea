"""The intake of percepts: frames, their files, the feed, and access to it.

Imports `errors`, `tolerances`, `geometry`, `scene`, `values`, `relations` and `belief`.
Start with `percepts.py`; `frame_file.py` reads a frame.
"""
