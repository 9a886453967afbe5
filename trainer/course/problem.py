"""What a user can mend: shown as one line, never as a traceback."""


class Problem(Exception):
    """Says what was found, what was expected, and what to do."""
