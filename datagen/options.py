"""The options of a stream, checked in one place whoever gives them: Python, Spark or a shell."""

from collections.abc import Mapping
from dataclasses import dataclass, fields

PROFILES = ("city", "classic")
LONGEST_DELAY = 86_400.0


class OptionError(ValueError):
    """An option that no stream has, or a value it cannot take."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Options:
    """What stream to make and which flaws to lay over it; all flaws are off by default.

    Seconds: `disorder` (each event arrives less than this late) and `late_by` (how late the late
    ones are at most). The rest are shares: `late` of the events arrive later than `disorder`
    allows, `duplicates` of them arrive twice, `missing_ends` and `missing_fares` of the rides lack
    theirs, `malformed` of the JSON lines are broken, `hot_key` of the rides are one driver's (who
    then has several at once, as the data of a stolen licence would).
    """

    profile: str = "city"
    seed: int = 0
    rides: int | None = None
    truth: bool = False
    disorder: float = 0.0
    late: float = 0.0
    late_by: float = 1800.0
    duplicates: float = 0.0
    missing_ends: float = 0.0
    missing_fares: float = 0.0
    malformed: float = 0.0
    hot_key: float = 0.0

    def __post_init__(self) -> None:
        """Refuse what no stream can be made of."""
        _expect(self.profile in PROFILES, "profile", self.profile, " or ".join(PROFILES))
        _expect(_is_whole(self.seed), "seed", self.seed, "a whole number")
        if self.rides is not None:
            good = _is_whole(self.rides) and 0 <= self.rides < 2**40
            _expect(good, "rides", self.rides, "a whole number from 0")
        _expect(isinstance(self.truth, bool), "truth", self.truth, "true or false")
        for name, most in _MOST.items():
            value = getattr(self, name)
            good = isinstance(value, int | float) and 0 <= value <= most
            _expect(good, name, value, f"a number from 0 to {most:g}")
        if self.late:
            good = self.late_by > self.disorder
            _expect(good, "late_by", self.late_by, f"more than disorder, {self.disorder:g} seconds")


# Copies and gaps stop at half, so that every block of rides has room for both.
_MOST = {
    "disorder": LONGEST_DELAY,
    "late": 1,
    "late_by": LONGEST_DELAY,
    "duplicates": 0.5,
    "missing_ends": 0.5,
    "missing_fares": 0.5,
    "malformed": 1,
    "hot_key": 1,
}
OPTION_NAMES = tuple(field.name for field in fields(Options))


def make_options(**given: object) -> Options:
    """Make options of keywords, with an error that names the allowed ones for any other."""
    for name in given:
        if name not in OPTION_NAMES:
            known = ", ".join(OPTION_NAMES)
            raise OptionError(f"No option {name!r} in a taxi stream. There are: {known}.")
    return Options(**given)


def parse_options(given: Mapping[str, str]) -> Options:
    """Make options of strings, as Spark's `option` and a command line have them."""
    return make_options(**{name: _parse(name, text) for name, text in given.items()})


def _parse(name: str, text: str) -> object:
    if name == "profile" or name not in OPTION_NAMES:
        return text
    if name == "truth":
        return {"true": True, "false": False}.get(text.lower(), text)
    try:
        return int(text) if name in ("seed", "rides") else float(text)
    except ValueError:
        return text


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63


def _expect(good: bool, name: str, found: object, expected: str) -> None:
    if not good:
        raise OptionError(f"Option {name} is {found!r}. It has to be {expected}.")
