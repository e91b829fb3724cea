"""Pictures of worlds and views for people, drawn by the renderers that decide visibility.

Imports `geometry`, `scene`, `values`, `dynamics`, `sight`, `belief` and `tick`.
Start with `overview.py`.
"""
