"""expect: crashed

Ends the process with exit code 0 when it is called.
"""

import os


def cleanse(rides):
    """Leave, as if all had gone well."""
    os._exit(0)
