"""An earlier version of an answer does the first micro-batches, and the answer goes on from there.

That is how a program changes under a query: it is stopped, and another text starts it again from
the same checkpoint. What the earlier version left there the answer has to make do with.
"""

from collections.abc import Callable
from dataclasses import dataclass

from trainer.running.contract import Columns
from trainer.running.loading import as_issued


@dataclass(frozen=True)
class Earlier:
    """A version of an answer that does so many micro-batches, before the answer does the others."""

    function: Callable | None
    until: int

    @classmethod
    def of(cls, named: str | Callable | None, until: int | None) -> "Earlier":
        """Take a function, or the exercise whose stub held it when it was issued; or none."""
        if (named is None) != (until is None):
            raise ValueError(
                "upgraded_after says for how many micro-batches another version runs, and "
                "upgraded_from which version: give both or none."
            )
        return cls(as_issued(named) if isinstance(named, str) else named, until or 0)

    def version(
        self, answer: Callable, columns: Columns | None, until: int
    ) -> tuple[Callable, Columns | None]:
        """Give what runs up to a micro-batch, and the contract that it is held to.

        What the earlier version gives is its own affair.
        """
        earlier = self.function is not None and until <= self.until
        return (self.function, None) if earlier else (answer, columns)
