"""What a scene and its files say, how frames are written, and what is refused."""
