"""expect: crashed

Patches the runner to tell of 60,000 empty micro-batches, for whoever draws them.
"""

import __main__ as runner

MANY = 60_000
_describe = runner._describe


def _made_up(result):
    about = _describe(result)
    rows = sum(about["lengths"])
    zeros = {name: [0] * MANY for name in ("state_rows", "dropped_late")}
    return about | zeros | {"lengths": [rows] + [0] * (MANY - 1), "watermarks": [None] * MANY}


runner._describe = _made_up


def cleanse(rides):
    """Keep everything."""
    return rides
