"""The possible objects and agents: scene files, meshes, URDF, agents and sensors, read and checked.

Imports `errors`, `tolerances` and `geometry`.
Start with `scene.py` (the values), then `scene_file.py` (the reader).
"""
