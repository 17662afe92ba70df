"""Storage of variables, and the ops that read and update it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.forks import Lock
from runtime.core import dtypes
from runtime.core.awaited import awaited, look
from runtime.core.errors import FailedPreconditionError
from runtime.core.node_form import NodeForm, Ref
from runtime.core.opdef import ANY, NUMERIC, PASSED_ON, DTypes, Effect, sample
from runtime.core.shapes import Dims
from runtime.core.spec import spec_of
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import EagerTensor
from runtime.ops.base.define import Op, define_op
from runtime.ops.base.node_forms import Node, Place

RESOURCE = spec_of(dtypes.resource, ())
"""The spec of a variable's handle."""

HANDLE = DTypes("a variable", dtypes.resource)
"""The dtype group of a variable's handle."""


def _nothing() -> None:
    return None


class Cell:
    """The storage of a variable.

    Attributes:
      value: the array, or None before the first assignment.
      variable: returns the variable, or None after its end (a weak reference).
    """

    __slots__ = ("_lock", "value", "variable")

    def __init__(self, value: object = None) -> None:
        self.value = value
        self.variable: Callable[[], Any] = _nothing
        self._lock = Lock()

    def read(self) -> Any:
        """Return the array. Raises FailedPreconditionError before the first assignment."""
        value = self.peek()
        if value is None:
            raise FailedPreconditionError.of("the variable is read before it has a value")
        return value

    def peek(self) -> Any:
        """Return the array, or None before the first assignment."""
        value = self.value
        if value is None:
            with self._lock:  # `change` removes the array from the cell meanwhile
                value = self.value
        return value

    def assign(self, array: object) -> None:
        """Replace the array; waits for an `update` of another thread."""
        with self._lock:
            self.value = array

    def update(self, change: Callable[[Any, Any], Any], operand: object) -> None:
        """Replace the array by `change(array, operand)` atomically."""
        with self._lock:
            self.value = change(self._present(), operand)

    def change(self, put: Callable[[Any], None]) -> None:
        """Change the array with `put(array)`: in place, or a copy if something else refers to it.

        Args:
          put: changes parts of an array, or raises an error before it changes any.
        """
        with self._lock:
            array, unshared = self._present(), np.empty(0)
            try:
                self.value = None  # other threads wait in `peek`
                # Compare with the count of a new array, which only this function refers to; views
                # count too.
                alone = sys.getrefcount(array) == sys.getrefcount(unshared)
                in_place = alone and array.base is None and array.flags.writeable
                changed = array if in_place else np.array(array)
                put(changed)
                array = changed
            finally:
                self.value = array

    def _present(self) -> Any:
        """Return the array; the caller holds the lock."""
        if self.value is None:
            raise FailedPreconditionError.of("the variable is read before it has a value")
        return self.value


class AwaitingCell(Cell):
    """The cell of a variable created while `awaited` callbacks wait for new variables.

    Each access calls them first: one may find its variable now and set its value.
    """

    __slots__ = ()

    @property
    def value(self) -> Any:
        """The array."""
        self._look()
        return _HELD.__get__(self)

    @value.setter
    def value(self, array: object) -> None:
        self._look()
        _HELD.__set__(self, array)

    def _look(self) -> None:
        look()
        if not awaited:
            end_waiting(self)


_HELD: Any = Cell.__dict__["value"]


def end_waiting(cell: Cell) -> None:
    """Turn a cell into a plain one; another thread may have done so already."""
    cell.__class__ = Cell


def new_cell(array: object) -> Cell:
    """Return a cell that holds an array; an `AwaitingCell` if callbacks wait for variables."""
    cell = Cell(array)
    if awaited:
        cell.__class__ = AwaitingCell
    return cell


def _assign(xp: object, cell: Cell, value: object) -> tuple[()]:
    cell.assign(value)
    return ()


def _updating(name: str, function: str) -> Op:
    def kernel(xp: object, cell: Cell, value: object) -> tuple[()]:
        cell.update(getattr(xp, function), value)
        return ()

    return define_op(
        name,
        {"resource": HANDLE, "value": NUMERIC},
        lambda cell, value: (),
        kernel,
        outputs=0,
        effect=Effect.WRITE,
        samples=(sample(_cell(1.0), 2.0),),
    )


def _cell(value: float) -> EagerTensor:
    return EagerTensor(Cell(np.float32(value)), RESOURCE)


def _write_read(place: Place) -> list[Ref]:
    return place.main("ReadVariableOp", place.inputs, dtype=place.op.attrs["spec"].dtype)


def _read_read(node: Node) -> tuple[SymbolicTensor, ...]:
    # Only a handle made in the graph states the shape of its variable.
    dims: Dims = node.inputs[0].op.attrs.get("shape")
    return node.add("ReadVariableOp", node.inputs, {"spec": spec_of(node.attrs["dtype"], dims)})


READ = define_op(
    "ReadVariableOp",
    {"resource": HANDLE},
    lambda cell, spec: spec,
    lambda xp, cell, spec: cell.read(),
    effect=Effect.READ,
    grad=PASSED_ON,
    node=NodeForm(write=_write_read, read=_read_read),
    samples=(sample(_cell(1.0), spec=spec_of(dtypes.float32, ())),),
)
ASSIGN = define_op(
    "AssignVariableOp",
    {"resource": HANDLE, "value": ANY},
    lambda cell, value: (),
    _assign,
    outputs=0,
    effect=Effect.WRITE,
    samples=(sample(_cell(1.0), 2.0),),
)
ASSIGN_ADD = _updating("AssignAddVariableOp", "add")
ASSIGN_SUB = _updating("AssignSubVariableOp", "subtract")
