"""What a user can mend: shown as one line, never as a traceback."""


class Problem(Exception):
    """Says what was found, what was expected, and what to do."""

    def _render_traceback_(self) -> list[str]:
        """Give a notebook the one line that it shows."""
        return [str(self)]
