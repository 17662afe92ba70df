"""Identity of what a caller passes: every call of a graph may pass other objects of the same type.

The trace type of an argument says of lists, dicts, tuples, sets and tensors what they contain, not
which ones they are, so `is` on them has no answer that holds for each call of the graph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from autograph.operators.moved import resolve
from autograph.staging import trace
from autograph.values import Value
from runtime.core.structure import children
from runtime.core.tensor import EagerTensor, Tensor
from runtime.state.variable import Variable


@contextmanager
def passing(arguments: Iterable[Value], is_old: Callable[[Value], bool]) -> Iterator[None]:
    """Let `is` ask, during a trace, which objects may be one at another call.

    Args:
      arguments: the arguments of the traced function, with symbolic tensors.
      is_old: returns whether an object existed before the call.
    """
    parts = [part for argument in arguments for part in _parts(argument)]
    passed = Counter(map(id, parts))

    def comes_from_outside(value: Value) -> bool:
        return id(value) in passed or isinstance(value, EagerTensor) or is_old(value)

    def may_be_one(left: Value, right: Value) -> bool:
        left, right = resolve(left), resolve(right)
        if id(left) not in passed and id(right) not in passed:
            return False
        if left is right:
            return passed[id(left)] > 1 or is_old(left)
        return _are_alike(left, right) and comes_from_outside(left) and comes_from_outside(right)

    outer, trace.may_be_passed = trace.may_be_passed, may_be_one
    try:
        yield
    finally:
        trace.may_be_passed = outer


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
