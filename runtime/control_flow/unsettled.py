"""What leaves a branch of which nothing is known yet."""

from __future__ import annotations


class Unsettled(BaseException):
    """A function calls itself while nothing is known of its result.

    The other branches tell its type: a branch that raises this is left out for the time being.
    """
