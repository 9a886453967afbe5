"""A run, judged: graders, verdicts, the idea behind a mistake, the smallest case that shows it."""
