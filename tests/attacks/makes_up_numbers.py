"""expect: crashed

Patches the runner to report micro-batches of negative, infinite and enormous length.
"""

import __main__ as runner

_describe = runner._describe


def _made_up(result):
    numbers = [-1, float("inf"), float("nan"), 10**4000]
    return _describe(result) | {"lengths": numbers, "state_rows": numbers, "dropped_late": numbers}


runner._describe = _made_up


def cleanse(rides):
    """Keep everything."""
    return rides
