"""The eyes: from percepts to facts about who sees what, where it is and who can reach it."""
