"""Demonstrations: short lives of a robot and the people around it, played from end to end."""
