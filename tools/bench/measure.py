"""Measuring two things in turn, and the figure that comes of it."""

from __future__ import annotations

import timeit
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

Measurement = Callable[[], float]
"""Does something once and says how many seconds, or bytes, it took."""

LEAST_SECONDS = 0.02


@dataclass(frozen=True)
class Goal:
    """What a figure must not exceed: a time in seconds, a ratio to its peer, or an excess over it.

    Attributes:
      limit: the number; of an excess in seconds.
      of: "ratio", "seconds" or "excess".
    """

    limit: float
    of: str = "ratio"

    def met(self, figure: Figure) -> bool:
        value = figure.ratio
        if self.of == "seconds":
            value = figure.seconds
        elif self.of == "excess" and figure.peer_seconds is not None:
            value = figure.seconds - figure.peer_seconds
        return value is not None and value <= self.limit

    def __str__(self) -> str:
        if self.of == "seconds":
            return f"<= {self.limit:g} s"
        if self.of == "excess":
            return f"<= {self.limit * 1e6:g} us more"
        return f"<= {self.limit:g}x" if self.limit >= 1 else f">= {1 / self.limit:g}x faster"


@dataclass(frozen=True)
class Figure:
    """One line of the result: a median, its peer's, and the median of the pairs' ratios.

    Attributes:
      seconds, peer_seconds: the medians, in `unit`: "s" or "B".
    """

    label: str
    seconds: float
    peer: str = ""
    peer_seconds: float | None = None
    ratio: float | None = None
    goal: Goal | None = None
    unit: str = "s"


def paired(
    label: str,
    ours: Measurement,
    peer: str,
    theirs: Measurement,
    *,
    repeats: int = 7,
    goal: Goal | None = None,
    unit: str = "s",
) -> Figure:
    """Measure ours and the peer's in turn, so that both meet the same state of the machine."""
    pairs = [(ours(), theirs()) for _ in range(repeats)]
    return Figure(
        label,
        median(first for first, _ in pairs),
        peer,
        median(second for _, second in pairs),
        median(first / second for first, second in pairs),
        goal,
        unit,
    )


def alone(
    label: str, ours: Measurement, *, repeats: int = 7, goal: Goal | None = None, unit: str = "s"
) -> Figure:
    """Measure what has no peer in this run."""
    return Figure(label, median(ours() for _ in range(repeats)), goal=goal, unit=unit)


def once(action: Callable[[], object]) -> Measurement:
    """Time of a single execution."""
    return lambda: timeit.timeit(action, number=1)


def each(action: Callable[[], object]) -> Measurement:
    """Time of one of as many executions as it takes for the clock to see them well."""
    action()
    number, taken = 1, timeit.timeit(action, number=1)
    while taken < LEAST_SECONDS:
        number *= 4
        taken = timeit.timeit(action, number=number)
    return lambda: timeit.timeit(action, number=number) / number
