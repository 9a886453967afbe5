"""expect: crashed

Raises an error whose text clears the terminal, turns the writing round, and closes an HTML tag.
"""


def cleanse(rides):
    """Paint a green tick."""
    text = "\x1b[2J\x1b[32mcorrect\x1b[0m\u202etcerroc\u2066\x00</td><script>alert(1)</script>"
    raise ValueError(text)
