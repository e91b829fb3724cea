"""What a question to a board means, for all who answer it: the service, and a board in-process."""
