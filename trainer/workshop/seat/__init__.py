"""A learner's seat in a class: joining, what is told to the board, and what comes from it."""
