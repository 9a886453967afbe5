"""Every report can be shown: of what each misconception gave, and of what went wrong otherwise.

What misconceptions gave was recorded (tests/kit/recorded.py), so nothing is run here.
"""

import io
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import cycle, islice

import pytest
from rich.console import Console

from tests.kit.recorded import exercises_recorded, recorded
from trainer.checking.case import Case
from trainer.checking.crash import Crash
from trainer.checking.report import Report
from trainer.checking.verdict import Check, Kind, Verdict
from trainer.course.exercise import Exercise
from trainer.display import html, pages, tables, terminal
from trainer.display.as_code import as_code
from trainer.display.notebook import Shown
from trainer.display.timeline import timeline_of
from trainer.display.timeline_text import MARGIN, draw
from trainer.grading.pages.explain import focus
from trainer.running.answer import Crashed
from trainer.running.result import Result, outputs

WIDTHS, EVERY, SPOILED = range(40, 201), 15, 1
RULE = Check("test_it", "A ride is a ride.", passed=False)
FAULT = "our fault, not yours"
SIDE_BY_SIDE = ("batches", "state_rows", "dropped_late", "watermarks")


def first(result: Result, count: int) -> Result:
    """Give a run that ended after so many micro-batches."""
    return replace(result, **{name: getattr(result, name)[:count] for name in SIDE_BY_SIDE})


def longer(result: Result, by: int = 3) -> Result:
    """Give a run that went on, and repeated its first micro-batches."""
    grown = {name: [*getattr(result, name), *getattr(result, name)[:by]] for name in SIDE_BY_SIDE}
    return replace(result, **grown)


def without_rows(result: Result) -> Result:
    """Give a run of which nothing came out."""
    return replace(result, batches=[[] for _ in result.batches])


def doubled(result: Result) -> Result:
    """Give a run in which everything came twice, and all of it at once in the end."""
    return replace(result, batches=[*([] for _ in result.batches[1:]), 2 * result.rows])


def spoiled(result: Result) -> Result:
    """Give a run with values in it that nobody thought of."""
    odd = cycle([None, float("nan"), "x" * 900, "[bold]", "", -1])
    rows = [[{name: next(odd) for name in row} for row in batch] for batch in result.batches]
    return replace(result, batches=rows, watermarks=[None] * len(rows))


def shifted(result: Result) -> Result:
    """Give a run whose watermarks lie a day ahead of everything."""
    marks = [mark and mark + timedelta(days=1) for mark in result.watermarks]
    return replace(result, watermarks=marks)


MUTATIONS: dict[str, Callable[[Result], Result]] = {
    "one micro-batch fewer": lambda result: first(result, len(result.batches) - 1),
    "one micro-batch": lambda result: first(result, 1),
    "no micro-batch": lambda result: first(result, 0),
    "more micro-batches": longer,
    "very many micro-batches": lambda result: longer(longer(result, 400), 400),
    "no rows": without_rows,
    "all rows twice": doubled,
    "odd values": spoiled,
    "watermark far ahead": shifted,
    "no state": lambda result: replace(result, state_rows=[]),
}


def mutants(case: Case) -> Iterator[Case]:
    """Give what else an answer might have given, or the reference, in every run and in one of two.

    A dict of two outputs loses one of them, too.
    """
    for change in MUTATIONS.values():
        for side in ("came", "expected"):
            outcome = getattr(case, side)
            if isinstance(outcome, Result):
                yield replace(case, **{side: change(outcome)})
                continue
            for name in outcome:
                yield replace(case, **{side: outcome | {name: change(outcome[name])}})
    for name in outputs(case.came) if isinstance(case.came, dict) else ():
        rest = {key: result for key, result in case.came.items() if key != name}
        yield replace(case, came=rest)


def report_on(exercise: Exercise, case: Case) -> Report:
    """Make the report of a wrong answer."""
    verdict = Verdict(Kind.WRONG, RULE.fact, (RULE,))
    return Report(exercise, verdict, RULE, "You forgot the `END`s.", case)


def in_terminal(report: Report, width: int) -> str:
    """Show a report in a terminal of this width."""
    console = Console(file=io.StringIO(), width=width)
    for part in terminal.parts(report):
        console.print(part, crop=False)
    return console.file.getvalue()


@pytest.mark.parametrize("exercise", exercises_recorded(), ids=lambda each: each.stem)
def test_what_a_misconception_gives_is_shown_whole(exercise):
    """In a narrow terminal and a wide one, in a notebook, on a page, also in part."""
    assert recorded(exercise)
    for case in recorded(exercise).values():
        assert case.differences
        report = report_on(exercise, case)
        for text in (in_terminal(report, 40), in_terminal(report, 120)):
            assert RULE.fact in " ".join(text.split()) and FAULT not in text
        assert all(map(pages.table, tables.of_case(focus(case))))
    for text in (repr(Shown(report)), Shown(report)._repr_html_()):
        assert RULE.fact in text and FAULT not in text


@pytest.mark.parametrize(("number", "exercise"), list(enumerate(exercises_recorded())), ids=str)
def test_runs_that_went_otherwise_are_shown_at_every_width(number, exercise):
    """Fewer micro-batches and more, no rows, one output of two, values that nobody thought of."""
    spoiled = islice(recorded(exercise).values(), SPOILED)
    cases = [mutant for case in spoiled for mutant in mutants(case)]
    # Each width is tried with one exercise or another.
    widths = WIDTHS[number % EVERY :: EVERY]
    for case, width in zip(cycle(cases[number % 3 :: 5]), widths, strict=False):
        assert FAULT not in in_terminal(report_on(exercise, case), width)
    for case in cases:
        assert all(map(pages.table, tables.of_case(case)))
    assert FAULT not in html.render(report_on(exercise, cases[5 * number % len(cases)]))


@pytest.mark.parametrize("smallest", [True, False])
def test_a_crash_is_shown_at_every_width(smallest):
    """The rows that it takes, or the micro-batch in which it came; also where that is empty."""
    error = Crashed("ValueError: odd (line 3: raise ValueError)")
    error.line, error.micro_batch = 3, 2
    check = replace(RULE, error=error)
    for exercise in exercises_recorded():
        scenario = next(iter(recorded(exercise).values())).scenario
        crash = Crash(scenario, error, smallest=smallest)
        verdict = Verdict(Kind.CRASHED, str(error), (check,))
        report = Report(exercise, verdict, crash=crash)
        shown = [in_terminal(report, width) for width in WIDTHS[::13]]
        for text in (*shown, html.render(report), repr(Shown(report))):
            assert "rashe" in text and FAULT not in text


@pytest.mark.parametrize("width", [40, 57, 76, 80, 118])
def test_no_table_is_wider_than_the_terminal(width):
    """What doesn't fit is left out or goes to the next line; the code to paste is never broken."""
    for exercise in exercises_recorded():
        case = next(iter(recorded(exercise).values()))
        text = in_terminal(report_on(exercise, case), width)
        before, _, code = text.partition(terminal.TO_TRY)
        assert max(map(len, before.splitlines())) <= width
        assert as_code(exercise, case.scenario) in text
        assert not code or "\nstep(\n" in code


@pytest.mark.parametrize(("number", "exercise"), list(enumerate(exercises_recorded())), ids=str)
def test_no_line_of_a_drawing_is_wider_than_there_is_room(number, exercise):
    """Labels are cut, and a legend goes on in the next line between two of its entries."""
    cases = list(recorded(exercise).values())
    some = islice(mutants(cases[0]), number % 4, None, 4)
    for width, case in zip(cycle([26, 28, 45, 64, 90]), (*cases, *some), strict=False):
        line = timeline_of(case)
        lines = draw(line, width).plain.splitlines()
        assert all(len(each) <= MARGIN + width and each.strip() for each in lines)
        if any(line.watermarks[: len(line.batches)]):
            assert "┃ watermark" in "".join(lines)


def test_a_drawing_counts_what_differs_as_the_table_does():
    """Of two equal rows that came, one may be right."""
    for exercise in exercises_recorded():
        for case in recorded(exercise).values():
            pairs = [pair for each in case.differences for pair in each.pairs]
            moved = [row for each in case.differences for row in each.moved]
            kinds = Counter(row.kind for row in timeline_of(case).rows)
            alone = [pair for pair in pairs if None in (pair.expected, pair.came)]
            assert kinds["surplus"] == sum(pair.expected is None for pair in alone)
            assert kinds["changed"] == len(pairs) - len(alone)
            assert kinds["moved"] == len(moved)
