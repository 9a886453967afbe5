"""expect: crashed
seconds: 20

Takes memory until there is none.
"""


def cleanse(rides):
    """Keep a hundred megabytes, and a hundred more."""
    kept = []
    while True:
        kept.append(bytearray(b"x" * 100_000_000))
