"""The judge, who is trusted, and the runner, who is not, and how the two talk."""
