"""What goes over the wire: the field names of every request, answer and error, and nothing else."""
