"""Time per statement of functions of 100, 400 and 1,600 statements: it must not grow."""

from collections.abc import Iterator
from dataclasses import replace

from tools.bench.benchmarks.conversion_straight import converting
from tools.bench.measure import Figure, Goal, paired
from tools.bench.programs import straight
from tools.bench.session import Session

SMALLEST = 100
LARGER = (400, 1600)


def run(session: Session) -> Iterator[Figure]:
    for statements in LARGER:
        figure = paired(
            f"a statement of {statements}",
            lambda count=statements: converting(straight(count)) / count,  # type: ignore[misc]
            f"a statement of {SMALLEST}",
            lambda: converting(straight(SMALLEST)) / SMALLEST,
        )
        yield replace(figure, goal=Goal(1.5))
