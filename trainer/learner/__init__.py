"""What a learner does: check, watch, take a hint, look how far one has come, open the course."""
