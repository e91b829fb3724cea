"""Pictures of worlds and views for people, drawn by the renderers that decide visibility.

Imports `tick`, `belief`, `sight` and the floors below these.
Start with `overview.py`.
"""
