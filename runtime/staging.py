"""The staging library of tensors: how converted code stages control flow on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np

from runtime.control_flow import builtin_functions, items, ordering
from runtime.control_flow.builtin_functions import text
from runtime.control_flow.cond import cond_steps, staged_cond
from runtime.control_flow.for_loop import numbered, rolled, staged_for, steady
from runtime.control_flow.object_references import reference_to_one
from runtime.control_flow.recursion import call
from runtime.control_flow.selection import ContainerReference
from runtime.control_flow.tracing import after_checks, trial_graph
from runtime.control_flow.truth import Operands, truth
from runtime.control_flow.values.carried import Carried
from runtime.control_flow.values.deques import stand_in
from runtime.control_flow.values.growing import GrowingList
from runtime.control_flow.values.partial_dicts import PartialDict
from runtime.control_flow.while_loop import staged_while
from runtime.core import dtypes
from runtime.core.handlers import refuse_handled
from runtime.core.opdef import Control
from runtime.core.spec import spec_of
from runtime.core.structural import CONST, IDENTITY, PLACEHOLDER
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import Tensor, is_operand
from runtime.core.thread import STATE
from runtime.ops.base.convert import (
    constant_of,
    convert_to_tensor,
    is_scalar_with_list,
    is_weak,
    never_equals,
)
from runtime.ops.base.exact_comparison import comparable
from runtime.ops.effects import output
from runtime.ops.items.indexing import with_item
from runtime.ops.math import elementwise
from runtime.ops.math.logic import equal, logical_or
from runtime.ops.reduce import reduction
from runtime.ops.strings import texts
from runtime.state.variable import Variable

Outputs = tuple[Any, ...]

_BOOL = spec_of(dtypes.bool, ())

_CALL = "call it in runtime.py_function"
_REMEDIES = {
    "time": f"Use runtime.timestamp(), pass the time as an argument, or {_CALL}.",
    "random": f"Use runtime.random, pass the number as an argument, or {_CALL}.",
    "files": f"Use runtime.io, pass the content as an argument, or {_CALL}.",
    "system": f"Pass the value as an argument, or {_CALL}.",
    "object": f"Do it after the statement, or {_CALL}.",
}
"""Replacements for calls that a trace cannot record."""


_DECIDING = (Control.IF, Control.CASE, Control.WHILE)
"""Control flow whose results are one tensor or another."""


def _is_decided(tensor: SymbolicTensor) -> bool:
    """Return whether a staged statement decides which tensor it is."""
    op = tensor.op
    return (op.inputs[0].op if op.definition is IDENTITY else op).definition.control in _DECIDING


_BUILTINS = builtin_functions.BUILTINS | ordering.BUILTINS


class TensorStaging:
    """The staging library of this runtime; see `autograph.staging.StagingLibrary`."""

    name = "runtime"
    chooses_objects = True
    returns_once = True
    """A `return` leaves a loop, so its value is unassigned at the start of each iteration."""
    notices_recursion = True

    remedies = _REMEDIES

    def stages(self, value: object) -> bool:
        """Return whether control flow on `value` is staged: while a graph is recorded."""
        return STATE.graph is not None or isinstance(value, SymbolicTensor)

    def called(self, function: FunctionType, target: Any) -> Any:
        """Note a call in a branch or loop: it may turn out to be recursive."""
        graph = STATE.graph
        if graph is None or graph.outer is None:
            return target
        return partial(call, function, target, False)

    def represents_bool(self, value: object) -> bool | None:
        """Return whether a tensor represents a Python bool; None: it may be a computed one."""
        if not isinstance(value, Tensor) or value.dtype is not dtypes.bool or value.shape.rank:
            return False
        return True if is_weak(value) else None

    def check_length(self, value: Any) -> None:
        """Raise Python's error for a length that is not a count, now or when the graph runs."""
        if not isinstance(value, Tensor) or not value.dtype.is_integer or value.shape.rank:
            kind = value.spec if isinstance(value, Tensor) else type(value).__name__
            raise TypeError(f"`__len__` returned {kind}, which is not an integer")
        self.raise_when(value < 0, ValueError("__len__() should return >= 0"))

    def may_be_one(self, left: object, right: object) -> bool:
        """Return whether only the running graph decides if two tensors are the same one."""
        if isinstance(left, Carried) and isinstance(right, Carried):
            return left.is_decided or right.is_decided
        if not isinstance(left, SymbolicTensor) or not isinstance(right, SymbolicTensor):
            return False
        return any(map(_is_decided, (left, right)))

    @contextmanager
    def around_call(self, *_: object) -> Iterator[Callable[[Any], Any] | None]:
        """Make results in a graph built by hand wait for the checks of the program."""
        graph = STATE.graph
        if graph is None or graph.building_function:
            yield None
        else:
            yield partial(after_checks, graph, len(graph.operations))

    cond = staticmethod(staged_cond)
    cond_steps = staticmethod(cond_steps)

    while_loop = staticmethod(staged_while)
    for_loop = staticmethod(staged_for)
    roll_for = staticmethod(rolled)
    steady = staticmethod(steady)
    numbered = staticmethod(numbered)
    operands = staticmethod(Operands)
    reference_to_one = staticmethod(reference_to_one)
    stand_in = staticmethod(stand_in)

    def and_(self, a: object, b: Callable[[], Any]) -> Any:
        """Return `a and b()`; `b` runs only if `a` is true."""
        operands = self.operands("and", a, b)
        branches = lambda: (operands.second(),), lambda: (operands.first(),)
        return operands.result(staged_cond(a, *branches, (operands.name,))[0])

    def or_(self, a: object, b: Callable[[], Any]) -> Any:
        """Return `a or b()`; `b` runs only if `a` is false."""
        operands = self.operands("or", a, b)
        first, second = lambda: (operands.first(),), lambda: (operands.second(),)
        if isinstance(a, Tensor) and a.spec == _BOOL:
            return operands.result(staged_cond(a, first, second, (operands.name,))[0])
        return operands.result(staged_cond(self.not_(a), second, first, (operands.name,))[0])

    def not_(self, a: object) -> Any:
        """Return `not a`."""
        return elementwise.logical_not(truth(a))

    def contains(self, container: Any, item: object) -> Any:
        """Return `item in container`."""
        if isinstance(container, dict):
            return items.has_key(container, item)
        if texts.is_text(container) or type(container) is str:
            return texts.contains(convert_to_tensor(container), item)
        if isinstance(container, GrowingList):
            return reduction.reduce_any(container.matches(item))
        if isinstance(container, PartialDict):
            return container.holds(item)
        if is_operand(container):
            return reduction.reduce_any(equal(*comparable(container, item)))
        found = constant_of(np.array(False))
        for member in container:
            if member is None or never_equals(item, member) or is_scalar_with_list(item, member):
                continue
            found = logical_or(found, reduction.reduce_all(equal(*comparable(item, member))))
        return found

    def assert_(self, test: object, message: Callable[[], Any]) -> None:
        """Check when the graph runs; a failure evaluates the message for its error."""
        refuse_handled(AssertionError(), "Test for it by an `if` in place of the handler.")
        held = truth(test)
        if _records_nothing(message):
            output.Assert(held, _data_of(message()))
            return

        def fail() -> Outputs:
            try:
                output.Assert(False, _data_of(message()))
            except Exception as error:
                self.raise_here(error)
            return ()

        staged_cond(held, tuple, fail, (), name="assert")

    def raise_when(self, condition: object, error: BaseException) -> None:
        """Raise an exception when the graph runs and `condition` holds."""
        output.raise_when(truth(condition), error)

    def raise_here(self, error: BaseException) -> None:
        """Raise an exception when the graph runs."""
        output.raise_when(True, error)

    text = staticmethod(text)
    join_text = staticmethod(texts.joined)
    print_text = staticmethod(output.print_text)

    def texts_shown(self) -> int:
        """Return how often this thread showed the text of a tensor in place of its value."""
        return STATE.texts_shown

    def builtin(self, name: str, *args: object, **kwargs: object) -> Any:
        """Call a built-in function on tensors; NotImplemented: call Python's own."""
        function = _BUILTINS.get(name)
        return NotImplemented if function is None else function(*args, **kwargs)

    get_item = staticmethod(items.get_item)
    call_method = staticmethod(items.call_method)

    def set_item(self, target: Any, index: object, value: object) -> Any:
        """Return `target` after `target[index] = value`; a variable is assigned."""
        if isinstance(target, (GrowingList, PartialDict, ContainerReference)):
            target[index] = value
            return target
        if not is_operand(target):
            return items.set_item(target, index, value)
        if isinstance(target, Variable):
            return target.assign(with_item(target, index, value))
        return with_item(target, index, value)


def _records_nothing(message: Callable[[], Any]) -> bool:
    """Return whether a message records no operation, which only a failed check would need."""
    try:
        with trial_graph("message") as graph:
            message()
    except Exception:
        return False
    return all(op.definition in (CONST, PLACEHOLDER) for op in graph.operations)


def _data_of(content: object) -> list[Any]:
    return list(map(_shown, content if isinstance(content, (list, tuple)) else [content]))


def _shown(value: object) -> Any:
    known = isinstance(value, (Tensor, bool, int, float, str, bytes))
    return value if known or hasattr(type(value), "__tf_tensor__") else repr(value)


LIBRARY = TensorStaging()
"""The staging library of all subclasses of `Staged` but those of NumPy programs."""
