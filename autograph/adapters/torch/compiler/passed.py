"""The identity of lists, dicts and partials among the arguments of a compiled function.

TorchDynamo passes what they contain, and compiles anew for other contents, not for other objects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from autograph.staging import Callers, trace
from autograph.values import Value


class Passed(Callers):
    """The containers among the arguments of a trace, which are made for it.

    Args:
      arguments: of the trace.
      is_old: whether an object existed before it.
    """

    def __init__(self, arguments: Value, is_old: Callable[[object], bool]) -> None:
        self._held = list(_containers(arguments))
        self._is_old = is_old

    def may_pass_one(self, left: object, right: object) -> bool:
        """Return whether two objects may be one at a call, or two."""
        if left is right or type(left) is not type(right):
            return False
        known = [self._is_passed(left), self._is_passed(right)]
        return any(known) and (all(known) or self._is_old(left) or self._is_old(right))

    def _is_passed(self, value: object) -> bool:
        return any(each is value for each in self._held)


@contextmanager
def passing(arguments: Value, is_old: Callable[[object], bool]) -> Iterator[None]:
    """Let operators on identity know the arguments of the function that is being traced."""
    outer, trace.callers = trace.callers, Passed(arguments, is_old)
    try:
        yield
    finally:
        trace.callers = outer


def _containers(value: Value) -> Iterator[object]:
    if isinstance(value, partial):
        parts = [value.func, *value.args, *value.keywords.values()]
    elif isinstance(value, (list, tuple, dict)):
        parts = [*(value.values() if isinstance(value, dict) else value)]
    else:
        return
    if not isinstance(value, tuple):
        yield value
    for part in parts:
        yield from _containers(part)
