"""`autograph.convert`-decorated functions called with Python values outside any trace."""

from collections.abc import Callable, Iterator
from typing import Any

import autograph
from tools.bench import runnable
from tools.bench.measure import Figure, Goal, each, paired
from tools.bench.session import Session

# The last does nearly nothing: what it shows is the time that one call costs more.
CALLS: tuple[tuple[Callable[..., Any], tuple[Any, ...], Goal | None], ...] = (
    (runnable.loop, (1000,), Goal(1.1)),
    (runnable.fib, (12,), Goal(1.1)),
    (runnable.clamp, (3.0, 0.0, 1.0), None),
)


def run(session: Session) -> Iterator[Figure]:
    for function, arguments, goal in CALLS:
        decorated = autograph.convert(function)
        yield paired(
            f"decorated {function.__name__}{arguments}",
            each(lambda: decorated(*arguments)),  # noqa: B023  # measured within the iteration
            "the original",
            each(lambda: function(*arguments)),  # noqa: B023  # measured within the iteration
            repeats=25,
            goal=goal,
        )
