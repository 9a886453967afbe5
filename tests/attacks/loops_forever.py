"""expect: crashed
seconds: 5

Never returns, and catches what would interrupt it.
"""


def cleanse(rides):
    """Go round and round."""
    while True:
        try:
            while True:
                pass
        except BaseException:
            continue
