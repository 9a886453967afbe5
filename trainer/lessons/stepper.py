"""A scenario, one micro-batch at a time: what comes in, watermark, state, what comes out."""

import hashlib
import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from trainer.course.exercise import find
from trainer.course.problem import Problem
from trainer.display import tables
from trainer.display.in_state import in_state
from trainer.display.pages import fill
from trainer.display.tables import Grid
from trainer.lessons.misused import require_what_it_takes
from trainer.rows import Row
from trainer.running.answer import AnswerError
from trainer.running.inputs import Kind, kind_of
from trainer.running.loading import load
from trainer.running.result import Outcome, outputs

DRAIN = "no input: the watermark has moved, so Spark goes on"


@dataclass(frozen=True)
class Step:
    """One micro-batch."""

    inputs: Sequence[Grid]
    outputs: Sequence[Grid]
    watermark: str
    state: int
    more: int
    dropped: int
    note: str
    contents: Sequence[Grid] = ()

    @property
    def held(self) -> str:
        """Say how many rows are held as state, and how many more or fewer than before."""
        change = f", {abs(self.more)} {'more' if self.more > 0 else 'fewer'}" if self.more else ""
        return f"{self.state} row{'' if self.state == 1 else 's'}{change}"


class Steps:
    """A run to walk through, forward and back; plain text shows all steps one after the other."""

    def __init__(self, outcome: Outcome) -> None:
        """Walk through this run."""
        self.results = outputs(outcome)
        given = next(iter(self.results.values())).scenario.inputs
        self.streams = {name: rows for name, rows in given.items() if kind_of(rows) is Kind.STREAM}

    def __iter__(self) -> Iterator[Step]:
        """Give the steps in their order."""
        longest = max(len(result.batches) for result in self.results.values())
        return map(self._step, range(longest))

    def _step(self, number: int) -> Step:
        there = [each for each in self.results.values() if number < len(each.batches)]
        watermark = there[0].watermarks[number]
        batches = {name: result.batches for name, result in self.results.items()}
        drained = all(number >= len(rows) for rows in self.streams.values())
        return Step(
            inputs=_grids(self.streams, number),
            outputs=_grids(batches, number),
            watermark=tables.cell(watermark) if watermark else "none yet",
            state=self._state(number),
            more=self._state(number) - self._state(number - 1) if number else 0,
            dropped=sum(each.dropped_late[number] for each in there),
            note=DRAIN if drained else "",
            contents=self._contents(number),
        )

    def _state(self, number: int) -> int:
        there = [each for each in self.results.values() if number < len(each.batches)]
        return sum(each.state_rows[number] for each in there)

    def _contents(self, number: int) -> list[Grid]:
        return [
            grid
            for name, each in self.results.items()
            if number < len(each.batches)
            for grid in in_state(each.contents or (), number, name)
        ]

    def _repr_html_(self) -> str:
        steps = list(self)
        # Named by what it shows: the same run gives the same page, two runs on a page keep apart.
        name = hashlib.sha256(repr(steps).encode()).hexdigest()[:8]
        return fill("steps", steps=steps, plain=repr(self), id=f"steps-{name}")

    def __repr__(self) -> str:
        """Write the steps one below the other."""
        return "\n".join(
            line for number, step in enumerate(self, 1) for line in _lines(number, step)
        )


def _grids(streams: dict[str, list[list[Row]]], number: int) -> list[Grid]:
    """Show what each stream has in a micro-batch, if anything."""
    there = {name: rows[number] for name, rows in streams.items() if number < len(rows)}
    return [
        tables.plain(name, rows, list(chain.from_iterable(streams[name])))
        for name, rows in there.items()
        if rows
    ]


def _lines(number: int, step: Step) -> Iterator[str]:
    late = f", {step.dropped} dropped as late" if step.dropped else ""
    yield f"micro-batch {number}: watermark {step.watermark}, {step.state} rows of state{late}"
    for word, grids in (("in ", step.inputs), ("out", step.outputs)):
        for grid in grids:
            for line in grid.lines:
                pairs = zip(grid.columns, line.cells, strict=True)
                shown = ", ".join(f"{name} {value}" for name, value in pairs)
                yield f"  {word} {grid.title}  {shown}".replace("   ", "  ")


def step(function: Callable | str, **streams: Sequence) -> Steps:
    """Run a function on scripted streams, and walk through it micro-batch by micro-batch.

    The name of an exercise stands for the learner's answer, as it was last saved.
    """
    from trainer.running.drive import run

    try:
        called = getattr(function, "__name__", "the function")
        if isinstance(function, str):
            called, exercise = f'"{function}"', find(function)
            function = load(exercise.stub, exercise.function)
        options = inspect.signature(run).parameters.keys() - {"function", "inputs"}
        require_what_it_takes(function, called, streams, options)
        return Steps(run(function, contents=True, **streams))
    except (AnswerError, ValueError) as error:
        raise Problem(str(error)) from error
