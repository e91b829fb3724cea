"""Each rule by its name, with a case of its own."""
