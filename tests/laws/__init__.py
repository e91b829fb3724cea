"""What holds of every model, whatever happens to it."""
