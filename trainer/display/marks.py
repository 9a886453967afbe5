"""What all reports say alike: the sign and the colour of each verdict, and titles."""

from trainer.checking.case import Case
from trainer.checking.crash import Crash
from trainer.display.palette import paint
from trainer.running.scenario import Scenario

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
    or goes on with another version, if it does; and whether a query runs meanwhile."""
    title = "The smallest case found" if case.smallest else "A case that shows it"
    options = case.scenario.options
    if number := options.get("killed_after"):
        where = KILLED[options.get("killed_at", "after")]
        title += f"; the query is killed in micro-batch {number} (batch_id {number - 1}), {where}, "
        again = " with the same rows in another order" if options["role"] == "sink" else ""
        title += f"and started again{again}"
    if options.get("running"):
        title += "; your function is asked while the query runs"
    return title + _where_the_version_changes(case.scenario)


def title_of_crash(crash: Crash) -> str:
    """Say what is shown of a crash: all that it takes, or where it happened."""
    title = "What it was working on when it crashed"
    if crash.smallest:
        title = "The smallest case found that crashes"
    return title + _where_the_version_changes(crash.scenario)


def _where_the_version_changes(scenario: Scenario) -> str:
    if number := scenario.options.get("upgraded_after"):
        return f"; micro-batches up to {number} are version one's, then yours goes on"
    return ""
