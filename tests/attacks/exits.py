"""expect: crashed

Calls sys.exit(0), which some graders take for a pass.
"""

import sys


def cleanse(rides):
    """Leave politely."""
    sys.exit(0)
