"""What `step(…)` was given, beside what the function takes: one line where they don't agree."""

import inspect
from collections.abc import Callable, Iterable, Mapping, Set

from trainer.course.problem import Problem
from trainer.running.inputs import Kind, kind_of
from trainer.running.places import GIVEN

# Where the query is ours, it takes one stream, whatever that is called.
ITS_STREAM = {"sink": "fares", "reader": "rides"}
A_STREAM = inspect.Parameter("stream", inspect.Parameter.KEYWORD_ONLY)
STREAM = "A stream is a list of micro-batches, each a list of rows"


def require_what_it_takes(
    function: Callable, called: str, given: Mapping[str, object], options: Set[str]
) -> None:
    """Say what is wrong with a call of `step(…)`, if anything; `called` is what it names first."""
    if not callable(function):
        raise Problem("step() was given no function; expected one, or an exercise's name, first.")
    parameters = inspect.signature(function).parameters
    if given.get("role") == "program":
        # Its folders are made for it.
        parameters = {name: each for name, each in parameters.items() if name not in GIVEN}
    if stream := ITS_STREAM.get(given.get("role")):
        parameters = dict.fromkeys(given.keys() - options, A_STREAM) or {stream: A_STREAM}
    inputs = {name: each for name, each in given.items() if name in parameters}
    unknown = given.keys() - parameters.keys() - options
    takes = f"{called} takes {_listed(parameters)}"
    if unknown and not any(each.kind is each.VAR_KEYWORD for each in parameters.values()):
        raise Problem(f"step() was given {_listed(sorted(unknown))}; {takes}.")
    needed = [name for name, each in parameters.items() if _is_needed(each)]
    example = f"step({called}, {', '.join(f'{name}=[[…], […]]' for name in needed)})"
    if not any(kind_of(rows) is Kind.STREAM for rows in given.values()):
        what = f"{_listed(inputs)}, but no stream" if inputs else "no stream"
        raise Problem(f"step() was given {what}; {takes}. {STREAM}: {example}.")
    if lacking := [name for name in needed if name not in given]:
        raise Problem(f"step() was not given {_listed(lacking)}; {takes}: {example}.")


def _listed(names: Iterable[str]) -> str:
    return " and ".join(names) or "nothing"


def _is_needed(parameter: inspect.Parameter) -> bool:
    variable = parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)
    return not variable and parameter.default is parameter.empty
