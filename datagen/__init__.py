"""The taxi streams."""
