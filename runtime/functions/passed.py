"""The identity of arguments: every call of a graph may pass other objects of the same type.

The trace type of an argument says of lists, dicts, tuples, sets and tensors what they contain, not
which ones they are, so `is` on them has no answer that holds for each call of the graph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from autograph.operators.moved import resolve
from autograph.staging import Callers, trace
from autograph.values import Value
from runtime.core.structure import children
from runtime.core.tensor import EagerTensor, Tensor
from runtime.state.variable import Variable


class Passed(Callers):
    """The arguments of a function that is being traced, with symbolic tensors.

    `is_old` returns whether an object existed before the call; `outliving` a test whether it did,
    or an object that did holds it now.
    """

    def __init__(
        self,
        arguments: Iterable[Value],
        is_old: Callable[[Value], bool],
        outliving: Callable[[], Callable[[Value], bool]],
    ) -> None:
        parts = [part for argument in arguments for part in _parts(argument)]
        self._held = parts
        self._counts = Counter(map(id, parts))
        self._is_old = is_old
        self._outliving = outliving

    def pass_anew(self, value: Value) -> bool:
        """Return whether each call may pass another object in place of the value."""
        return id(resolve(value)) in self._counts

    def may_pass_one(self, left: Value, right: Value) -> bool:
        """Return whether two objects may be one at another call, or two."""
        left, right = resolve(left), resolve(right)
        if not self.pass_anew(left) and not self.pass_anew(right):
            return False
        if left is right:
            return self._counts[id(left)] > 1 or self._is_old(left)
        return _are_alike(left, right) and self._are_of_callers(left, right)

    def outliving(self) -> Callable[[Value], bool]:
        """Return a test of lists, dicts and objects: whether they are reached after the call."""
        return self._outliving()

    def _are_of_callers(self, *values: Value) -> bool:
        """Return whether the values existed before the call."""
        return all(
            self.pass_anew(each) or isinstance(each, EagerTensor) or self._is_old(each)
            for each in values
        )


@contextmanager
def passing(
    arguments: Iterable[Value],
    is_old: Callable[[Value], bool],
    outliving: Callable[[], Callable[[Value], bool]],
) -> Iterator[None]:
    """Let operators on identity know the arguments of the function that is being traced."""
    outer, trace.callers = trace.callers, Passed(arguments, is_old, outliving)
    try:
        yield
    finally:
        trace.callers = outer


def _are_alike(left: Value, right: Value) -> bool:
    return type(left) is type(right) or (isinstance(left, Tensor) and isinstance(right, Tensor))


def _parts(value: Value) -> Iterator[Value]:
    """Yield the parts of an argument that its trace type describes by their contents."""
    level = children(value)
    is_tensor = isinstance(value, Tensor) and not isinstance(value, Variable)
    if level is not None or is_tensor or isinstance(value, (set, frozenset)):
        yield value
    for part in () if level is None else level[1]:
        yield from _parts(part)
