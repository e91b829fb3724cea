"""How percepts arrive: frames, their files, the feed, and who may send them.

Imports `belief`, `relations` and the floors below these.
Start with `percepts.py`; `frame_file.py` reads a frame.
"""
