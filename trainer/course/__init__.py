"""What the course consists of: exercises, found by their file names, and the files they own."""
