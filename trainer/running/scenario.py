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
        starts: bool = False,
        writes: bool = False,
        killed_after: int | None = None,
        killed_at: str | None = None,
        **inputs: object,
    ) -> Scenario:
        """Say what is given; the same, wherever it runs and however long that may take."""
        options = {"restart_after": restart_after, "output_mode": output_mode, "schemas": schemas}
        options |= {"state_held": state_held, "starts": starts, "writes": writes}
        options |= {"killed_after": killed_after, "killed_at": killed_at}
        return cls(inputs, {name: value for name, value in options.items() if value})

    def run(self, runner: Callable[..., object], **more: object) -> object:
        """Run it, with one answer or with another; `more` is how, not what."""
        return runner(**self.inputs, **self.options, **more)
