"""For authors: finds out what misconceptions give. `python -m trainer.outcomes [EXERCISE…]`"""

import sys

from trainer.checking.outcomes import find_out
from trainer.course.exercise import exercises, find

if __name__ == "__main__":
    for each in list(map(find, sys.argv[1:])) or exercises():
        print(each.stem, flush=True)
        find_out(each)
