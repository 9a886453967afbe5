"""A bundle: all that a machine needs for the course, to be set up where there is no network."""
