"""java.util.Random over whole arrays of seeds at once, one fresh generator for each seed."""

from collections.abc import Callable

import numpy as np

_MULTIPLIER, _INCREMENT = 0x5DEECE66D, 0xB
_MASK = (1 << 48) - 1


def _leaps() -> list[tuple[np.uint64, np.uint64]]:
    """Give (a, c) for k = 1 to 4 such that k steps of the generator are state·a + c."""
    a, c, leaps = 1, 0, []
    for _ in range(4):
        a, c = a * _MULTIPLIER & _MASK, (c * _MULTIPLIER + _INCREMENT) & _MASK
        leaps.append((np.uint64(a), np.uint64(c)))
    return leaps


_LEAPS = _leaps()


def first_state(seeds: np.ndarray) -> np.ndarray:
    """The state of a generator just made from each seed."""
    return (seeds.astype(np.uint64) ^ np.uint64(_MULTIPLIER)) & np.uint64(_MASK)


def _step(state: np.ndarray, steps: int = 1) -> np.ndarray:
    a, c = _LEAPS[steps - 1]
    return (state * a + c) & np.uint64(_MASK)


def next_int(state: np.ndarray, bound: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw `nextInt(bound)` from each state; return the values and the states after."""
    state = _step(state)
    bits = (state >> np.uint64(17)).view(np.int64)
    if bound & (bound - 1) == 0:
        return bits * bound >> 31, state
    value = bits % bound
    again = np.flatnonzero(bits - value + (bound - 1) >= 1 << 31)
    if again.size:
        value[again], state[again] = next_int(state[again], bound)
    return value, state


def _signed_unit(state: np.ndarray, steps: int) -> np.ndarray:
    """2·nextDouble() − 1, its two draws being steps + 1 and steps + 2 from this state."""
    high = _step(state, steps + 1) >> np.uint64(22) << np.uint64(27)
    low = _step(state, steps + 2) >> np.uint64(21)
    return (high + low).view(np.int64) * 2.0**-52 - 1.0


class Gaussians:
    """The gaussian sequence of each generator, from which every quantity is drawn afresh."""

    def __init__(self, state: np.ndarray) -> None:
        """Draw the first pair of each generator."""
        self._first, self._second, self._state = _next_pair(state)

    def __getitem__(self, part: slice) -> "Gaussians":
        """Take the same sequences for some of the generators."""
        some = object.__new__(Gaussians)
        some._first, some._second = self._first[part], self._second[part]
        some._state = self._state[part]
        return some

    def draw(
        self, value: Callable[[np.ndarray], np.ndarray], low: float, high: float
    ) -> np.ndarray:
        """Give value(g) for the first gaussian g of each for which it lies in [low, high]."""
        drawn = value(self._first)
        todo = _outside(drawn, low, high)
        if todo.size:
            drawn[todo] = second = value(self._second[todo])
            todo = todo[_outside(second, low, high)]
        if todo.size:
            drawn[todo] = Gaussians(self._state[todo]).draw(value, low, high)
        return drawn


def _next_pair(state: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw two gaussians from each state by the polar method; give the states after too."""
    v1, v2 = _signed_unit(state, 0), _signed_unit(state, 2)
    state = _step(state, 4)
    square = v1 * v1 + v2 * v2
    again = np.flatnonzero((square >= 1) | (square == 0))
    square[again] = 1.0
    factor = np.sqrt(-2 * np.log(square) / square)
    first, second = v1 * factor, v2 * factor
    if again.size:
        first[again], second[again], state[again] = _next_pair(state[again])
    return first, second, state


def _outside(values: np.ndarray, low: float, high: float) -> np.ndarray:
    return np.flatnonzero((values < low) | (values > high))
