"""The class board: what a class of learners is doing, live, on the instructor's machine."""
