"""How sure poses are, and what is made of percepts that say it."""
