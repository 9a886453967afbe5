"""A scenario: what one run is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Scenario:
    """What one run was given: its streams and tables, and its options."""

    inputs: Mapping[str, list]
    options: Mapping[str, object]

    @classmethod
    def of(
        cls,
        *,
        restart_after: int | None = None,
        output_mode: str = "append",
        schemas: Mapping | None = None,
        state_held: bool = False,
        role: str | None = None,
        killed_after: int | None = None,
        killed_at: str | None = None,
        upgraded_after: int | None = None,
        upgraded_from: str | Callable | None = None,
        state_encoding: str | None = None,
        running: bool = False,
        **inputs: object,
    ) -> Scenario:
        """Say what is given; the same, wherever it runs and however long that may take."""
        options = {"restart_after": restart_after, "output_mode": output_mode, "schemas": schemas}
        options |= {"state_held": state_held, "role": role, "running": running}
        options |= {"killed_after": killed_after, "killed_at": killed_at}
        options |= {"upgraded_after": upgraded_after, "upgraded_from": upgraded_from}
        options |= {"state_encoding": state_encoding}
        return cls(inputs, {name: value for name, value in options.items() if value})

    @property
    def apart(self) -> bool:
        """Whether two answers need a run each: what is no description of a stream can't be joined
        with another, nor what goes on from a checkpoint that is not its own."""
        return "role" in self.options or "upgraded_after" in self.options

    @property
    def counted(self) -> bool:
        """Whether something happens after so many micro-batches, so that none can be left out."""
        return "restart_after" in self.options or "upgraded_after" in self.options

    def run(self, runner: Callable[..., object], **more: object) -> object:
        """Run it, with one answer or with another; `more` is how, not what."""
        return runner(**self.inputs, **self.options, **more)
