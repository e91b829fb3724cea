"""How long what is asserted is true, and what happens when it ends."""
