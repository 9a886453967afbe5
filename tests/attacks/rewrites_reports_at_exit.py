"""expect: wrong

Leaves a function for the end of the process that overwrites every report it finds.
"""

import atexit
from pathlib import Path


@atexit.register
def rewrite():
    """Write a pass into everything that looks like a report."""
    for place in (Path("/tmp"), Path("/submission"), Path.cwd(), Path("/submission/..")):
        for pattern in ("*.xml", "*.json", "*.csv"):
            for report in place.rglob(pattern):
                report.write_text("correct")


def cleanse(rides):
    """Keep everything."""
    return rides
