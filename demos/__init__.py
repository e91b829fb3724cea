"""Demonstrations: short stories of a robot and the people around it, played on a real board."""
