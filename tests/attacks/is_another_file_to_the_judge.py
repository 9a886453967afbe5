# -*- coding: utf-7 -*-
"""expect: wrong

Is written in an encoding that reads as one thing to a judge and as another to Python.
"""


def cleanse(rides):
    """Return what looks like nothing."""
    return rides  # +AAo-    return None
