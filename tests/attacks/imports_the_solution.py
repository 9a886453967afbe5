"""expect: crashed

Imports the reference answer, from wherever it may lie.
"""

import importlib.util
import sys
from pathlib import Path

import trainer

ROOT = Path(trainer.__file__).parents[1]
PLACES = [ROOT / "solutions", Path("/submission/../solutions"), *map(Path, sys.path)]


def cleanse(rides):
    """Call the reference."""
    for place in PLACES:
        file = place / "ch01a_ride_cleansing.py"
        if file.exists() and "submission" not in str(file.resolve()):
            spec = importlib.util.spec_from_file_location("solution", file)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            return module.cleanse(rides)
    from solutions.ch01a_ride_cleansing import cleanse as solved

    return solved(rides)
