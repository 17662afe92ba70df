"""The signal that a branch depends on an unknown result."""

from __future__ import annotations


class Unsettled(BaseException):
    """A function calls itself while its result type is unknown.

    The other branches determine its type: a branch that raises this is skipped for the moment.
    """
