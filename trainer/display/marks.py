"""What all reports say alike: the sign and the colour of each verdict, and titles."""

from trainer.checking.case import Case
from trainer.checking.crash import Crash
from trainer.display.palette import paint

MARKS = {
    "untouched": ("·", "dim"),
    "edited": ("…", "yellow"),
    "unfinished": ("…", "yellow"),
    "crashed": ("!", "red"),
    "wrong": ("✗", "red"),
    "correct": ("✓", "green"),
}
# On a page, of the same names.
COLOURS = {name: paint(name) for name in ("dim", "yellow", "red", "green")}

TO_TRY = "Walk through it in a notebook"


KILLED = {
    "before": "before the sink is called",
    "within": "within the sink",
    "after": "after its rows are written and before that is noted",
}


def title_of(case: Case) -> str:
    """Say what a case is: the smallest only where nothing more can be left out; where it is killed,
    if it is."""
    title = "The smallest case found" if case.smallest else "A case that shows it"
    options = case.scenario.options
    if number := options.get("killed_after"):
        where = KILLED[options.get("killed_at", "after")]
        title += f"; the query is killed in micro-batch {number}, {where}, and started again"
    return title


def title_of_crash(crash: Crash) -> str:
    """Say what is shown of a crash: all that it takes, or where it happened."""
    if crash.smallest:
        return "The smallest case found that crashes"
    return "What it was working on when it crashed"
