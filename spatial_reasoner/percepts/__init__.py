"""The intake of percepts: frames, their files, the feed, and access to it.

Imports `belief`, `relations` and the floors below these.
Start with `percepts.py`; `frame_file.py` reads a frame.
"""
