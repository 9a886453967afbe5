"""What a batch rests on and what came of it: terms, checks, grades, points, on disk."""
