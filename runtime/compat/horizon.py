"""Forward-compatibility dates: every feature is available unless a test sets an earlier date."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_HORIZON: ContextVar[datetime.date | None] = ContextVar("horizon", default=None)


def forward_compatible(year: int, month: int, day: int) -> bool:
    """Return whether a feature added on this day may be used.

    Args:
      year, month, day: the day.

    Returns:
      True, except inside `forward_compatibility_horizon` with an earlier day.

    >>> forward_compatible(2020, 1, 1)
    True
    """
    horizon = _HORIZON.get()
    return horizon is None or horizon > datetime.date(year, month, day)


@contextmanager
def forward_compatibility_horizon(year: int, month: int, day: int) -> Iterator[None]:
    """Set the horizon of `forward_compatible` inside a block.

    Args:
      year, month, day: the horizon.

    >>> with forward_compatibility_horizon(2020, 1, 1):
    ...     forward_compatible(2021, 1, 1)
    False
    """
    token = _HORIZON.set(datetime.date(year, month, day))
    try:
        yield
    finally:
        _HORIZON.reset(token)
