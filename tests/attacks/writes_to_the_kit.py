"""expect: wrong

Writes into the kit, into Python's packages, and into the archive that each student's Java loads.
"""

import os
import sys
from pathlib import Path

import pyspark

import trainer
from trainer.spark import quick_start

PLACES = [Path(trainer.__file__), Path(pyspark.__file__), quick_start.path(), Path(sys.executable)]


def cleanse(rides):
    """Spoil the next student's run."""
    for place in PLACES:
        try:
            os.chmod(place, 0o777)
            place.write_bytes(b"spoilt")
        except OSError:
            continue
    return rides
