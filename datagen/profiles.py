"""The profiles by name."""

from typing import Protocol

from datagen.city import City
from datagen.classic import Classic
from datagen.columns import Fares, Rides
from datagen.options import Options


class Profile(Protocol):
    """What a stream needs to know of its rides; ids count from 1."""

    hot_driver: int
    hot_taxi: int

    def rides_within(self, seconds: float) -> int:
        """How many rides can start before an event that is this late has arrived."""

    def rides(self, first: int, stop: int) -> Rides:
        """Make rides first…stop−1."""

    def fares(self, first: int, stop: int) -> Fares:
        """Make the fares of rides first…stop−1."""


def make_profile(options: Options) -> Profile:
    """Make the profile that the options name."""
    return {"city": City, "classic": Classic}[options.profile](options.seed)
