"""Grading on the machines of a Spark cluster: each submission is a task of its own."""
