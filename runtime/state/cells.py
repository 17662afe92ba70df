"""Storage of variables, and the ops that make, read and update it.

A variable of a graph built by hand has a handle in the graph, and a cell in each Session.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.forks import Lock
from runtime.core import dtypes
from runtime.core.aliases import Array
from runtime.core.errors import FailedPreconditionError
from runtime.core.node_form import NodeForm, Ref
from runtime.core.observed import awaited, restore_awaited
from runtime.core.opdef import ANY, NUMERIC, PASSED_ON, DTypes, Effect, sample
from runtime.core.spec import spec_of
from runtime.core.tensor import EagerTensor
from runtime.ops.base.define import Op, define_op
from runtime.ops.base.node_forms import Place

RESOURCE = spec_of(dtypes.resource, ())
"""The spec of a variable's handle."""

HANDLE = DTypes("a variable", dtypes.resource)
"""The dtype group of a variable's handle."""


def _nothing() -> None:
    return None


class _Loan:
    """The memory of a cell's array, as long as an array outside of the cell refers to it.

    NumPy keeps the object that an array was made from as the base of the array and of its views.
    """

    __slots__ = ("__array_interface__", "__weakref__", "_array")

    def __init__(self, array: Array) -> None:
        self._array = array
        self.__array_interface__ = array.__array_interface__


class Cell:
    """The storage of a variable.

    Attributes:
      value: the array, or None before the first assignment, and while the cell owns its array: one
        that `change` made, and that `peek` lends.
      variable: returns the variable, or None after its end (a weak reference).
    """

    __slots__ = ("_loan", "_lock", "_own", "value", "variable")

    def __init__(self, value: object = None) -> None:
        self.value = value
        self.variable: Callable[[], Any] = _nothing
        self._lock = Lock()
        self._own: Any = None
        self._loan: Callable[[], Any] = _nothing

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
            with self._lock:
                value = self.value if self._own is None else self._lent()
        return value

    def assign(self, array: object) -> None:
        """Replace the array; waits for an `update` of another thread."""
        with self._lock:
            self.value, self._own = array, None

    def update(self, change: Callable[[Any, Any], Any], operand: object) -> None:
        """Replace the array by `change(array, operand)` atomically."""
        with self._lock:
            self.value, self._own = change(self._present(), operand), None

    def change(self, put: Callable[[Any], None]) -> None:
        """Change the array with `put(array)`: in place, or a copy if it may be in use elsewhere.

        `put` changes parts of an array, or raises an error before it changes any.
        """
        with self._lock:
            array = self._present()
            if self._own is None or self._loan() is not None:
                array = np.array(array)
            put(array)
            if array.dtype.hasobject:  # no interface of arrays lends the memory of objects
                self.value = array
            else:
                self._own, self.value, self._loan = array, None, _nothing

    def _lent(self) -> Any:
        """Return an array on the memory of the cell's own; the caller holds the lock."""
        loan = self._loan()
        if loan is None:
            loan = _Loan(self._own)
            self._loan = weakref.ref(loan)
        return np.asarray(loan)

    def _present(self) -> Any:
        """Return the array; the caller holds the lock."""
        array = self.value if self._own is None else self._own
        if array is None:
            raise FailedPreconditionError.of("the variable is read before it has a value")
        return array


class NamedCell(Cell):
    """The storage of one variable in a Session."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def read(self) -> Any:
        """Return the array. Raises FailedPreconditionError before the variable is initialized."""
        value = self.peek()
        if value is None:
            raise FailedPreconditionError.of(
                f"Could not find variable {self.name}. This could mean that the variable has been "
                "deleted. In TF1, it can also mean the variable is uninitialized. Attempting to "
                f"use uninitialized value {self.name}: run its initializer in this Session first, "
                "for instance with sess.run(runtime.compat.v1.global_variables_initializer()).",
            )
        return value


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
        restore_awaited()
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


READ = define_op(
    "ReadVariableOp",
    {"resource": HANDLE},
    lambda cell, spec: spec,
    lambda xp, cell, spec: cell.read(),
    effect=Effect.READ,
    grad=PASSED_ON,
    node=NodeForm(write=_write_read),
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
VAR_HANDLE = define_op(
    "VarHandleOp",
    {},
    lambda shared_name, dtype, shape: RESOURCE,
    lambda xp, shared_name, dtype, shape: NamedCell(shared_name),
    boxed=True,
    samples=(sample(shared_name="v", dtype=dtypes.float32, shape=()),),
)
IS_INITIALIZED = define_op(
    "VarIsInitializedOp",
    {"resource": HANDLE},
    lambda cell: spec_of(dtypes.bool, ()),
    lambda xp, cell: xp.array(cell.peek() is not None),
    effect=Effect.READ,
    samples=(sample(EagerTensor(Cell(np.float32(1)), RESOURCE)),),
)
