"""Verdicts, cases and times as people see them: in a terminal, in a notebook, on a page."""
