"""Pictures of what minds believe and see, for people: drawn by the renderers that decide sight."""
