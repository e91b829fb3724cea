"""What the service and a board in-process answer alike: questions, and where things were."""
