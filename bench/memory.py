"""How much memory a fresh process takes to make so many events: `python -m bench.memory`."""

import resource
import subprocess
import sys

import datagen


def peak_memory(profile: str, events: int) -> int:
    """Give the peak, in MB, of a process that makes events, beyond what its first event took."""
    command = [sys.executable, "-m", "bench.memory", profile, str(events)]
    return int(subprocess.run(command, capture_output=True, check=True).stdout)


def _grow(profile: str, events: int) -> int:
    datagen.ride_events(0, 1, profile=profile)
    before = _peak()
    for batch in datagen.iter_ride_events(0, events, profile=profile):
        del batch
    return _peak() - before


def _peak() -> int:
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // unit


if __name__ == "__main__":
    print(_grow(sys.argv[1], int(sys.argv[2])))
