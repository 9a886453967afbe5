"""What breaks a rule: of all that came out wrong, the one thing that does so by itself."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import islice

from trainer.checking.case import Case
from trainer.checking.fault import Fault, faults
from trainer.checking.verdict import Check
from trainer.course.exercise import Exercise
from trainer.running.loading import load_module
from trainer.running.result import Outcome, Result, outputs

MOST_TRIED = 60


def witness(exercise: Exercise, check: Check, cases: Mapping[str, Case], of: str) -> Fault | None:
    """Give what came out wrong in one run and breaks a rule, all else in all its runs being right.

    `cases` are what came and what was expected in each run that the rule's check looks at.
    """
    holds = _test(exercise, check)
    right = {name: case.expected for name, case in cases.items()}
    if holds is None or not holds(right):
        return None
    case = cases[of]
    tried = islice(faults(case.differences), MOST_TRIED)
    return next((fault for fault in tried if not holds(right | {of: but_for(fault, case)})), None)


def _test(exercise: Exercise, check: Check) -> Callable[[Mapping[str, Outcome]], bool] | None:
    """Give a check's own test, to be asked of other outcomes; None if it needs more than those."""
    function = getattr(load_module(exercise.grader), check.name, None)
    seed = next((made.seed for made in check.runs if made.seed is not None), None)
    needed = set(inspect.signature(function).parameters) if function else set()
    if not needed or not needed <= {"seed", *(made.name for made in check.runs)}:
        return None

    def holds(given: Mapping[str, Outcome]) -> bool:
        try:
            function(**{name: given.get(name, seed) for name in needed})
        except Exception:
            return False
        return True

    return holds


def but_for(fault: Fault, case: Case) -> Outcome:
    """Give what was expected, but for one thing, which is as it came."""
    came, expected = outputs(case.came), outputs(case.expected)
    given = expected | {fault.output: _with(fault, came[fault.output], expected[fault.output])}
    return given if isinstance(case.expected, dict) else given[""]


def _with(fault: Fault, came: Result, expected: Result) -> Result:
    if fault.kind == "order":
        return replace(expected, batches=came.batches)
    if fault.kind == "state":
        return replace(came, batches=expected.batches)
    pair, batches = fault.pair, [list(batch) for batch in expected.batches]
    at = len(batches)
    if pair.expected_in:
        batch = batches[pair.expected_in - 1]
        at = batch.index(pair.expected)
        del batch[at]
    if pair.came_in:
        batches += [[] for _ in range(pair.came_in - len(batches))]
        batches[pair.came_in - 1].insert(at, pair.came)
    return replace(expected, batches=batches)
