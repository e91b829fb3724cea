"""What `make quick` runs at each change, and the faults that it and the whole suite must catch."""
