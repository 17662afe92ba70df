"""What may be used by dates: everything, unless a test asks for the state of an earlier day."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_HORIZON: ContextVar[datetime.date | None] = ContextVar("horizon", default=None)


def forward_compatible(year: int, month: int, day: int) -> bool:
    """Whether something that was added on this day may be used.

    Args:
      year, month, day: the day.

    Returns: True, but in a block of `forward_compatibility_horizon` for an earlier day.

    >>> forward_compatible(2020, 1, 1)
    True
    """
    horizon = _HORIZON.get()
    return horizon is None or horizon > datetime.date(year, month, day)


@contextmanager
def forward_compatibility_horizon(year: int, month: int, day: int) -> Iterator[None]:
    """Makes `forward_compatible` answer in a block as it would have done on a day.

    >>> with forward_compatibility_horizon(2020, 1, 1):
    ...     forward_compatible(2021, 1, 1)
    False
    """
    token = _HORIZON.set(datetime.date(year, month, day))
    try:
        yield
    finally:
        _HORIZON.reset(token)
