"""Variables: tensors that a program can assign."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.context import init_scope
from runtime.core.dtypes import DType
from runtime.core.errors import FailedPreconditionError
from runtime.core.graph import SymbolicTensor
from runtime.core.opdef import ANY, NUMERIC, DTypes, Effect, sample
from runtime.core.shapes import Dims, TensorShape, compatible, format_dims
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import EagerTensor, Operators, Reference, Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.ops.convert import cast_to, convert_to_tensor
from runtime.ops.define import Op, define_op
from runtime.state.lifting import lifted_value

_RESOURCE = spec_of(dtypes.resource, ())
_HANDLE = DTypes("a variable", dtypes.resource)


@dataclass(frozen=True)
class VariableType:
    """What decides which graph a function uses for a variable.

    Attributes:
      spec: dtype and shape of all values.
      trainable: whether gradients are taken with respect to it by default.
      alias: tells apart how often the arguments hold the same variable.
    """

    spec: TensorSpec
    trainable: bool
    alias: int = 0

    def __str__(self) -> str:
        """Gives the words of the spec."""
        return f"variable {self.spec}"


class Cell:
    """The place in which a variable keeps its array."""

    __slots__ = ("_lock", "value")

    def __init__(self, value: Any = None) -> None:
        """Holds an array, or None before the first assignment."""
        self.value = value
        self._lock = threading.Lock()

    def read(self) -> Any:
        """The array. Raises FailedPreconditionError before the first assignment."""
        if self.value is None:
            raise FailedPreconditionError(None, None, "the variable is read before it has a value")
        return self.value

    def update(self, change: Callable[[Any, Any], Any], operand: Any) -> None:
        """Replaces the array by `change(array, operand)`, undisturbed by other threads."""
        with self._lock:
            self.value = change(self.read(), operand)


def _assign(xp: Any, cell: Cell, value: Any) -> tuple[()]:
    cell.value = value
    return ()


def _updating(name: str, function: str) -> Op:
    def kernel(xp: Any, cell: Cell, value: Any) -> tuple[()]:
        cell.update(getattr(xp, function), value)
        return ()

    return define_op(
        name,
        {"resource": _HANDLE, "value": NUMERIC},
        lambda cell, value: (),
        kernel,
        outputs=0,
        effect=Effect.WRITE,
        samples=(sample(_cell(1.0), 2.0),),
    )


def _cell(value: float) -> EagerTensor:
    return EagerTensor(Cell(np.float32(value)), _RESOURCE)


_READ = define_op(
    "ReadVariableOp",
    {"resource": _HANDLE},
    lambda cell, spec: spec,
    lambda xp, cell, spec: cell.read(),
    effect=Effect.READ,
    samples=(sample(_cell(1.0), spec=spec_of(dtypes.float32, ())),),
)
_ASSIGN = define_op(
    "AssignVariableOp",
    {"resource": _HANDLE, "value": ANY},
    lambda cell, value: (),
    _assign,
    outputs=0,
    effect=Effect.WRITE,
    samples=(sample(_cell(1.0), 2.0),),
)
_ASSIGN_ADD = _updating("AssignAddVariableOp", "add")
_ASSIGN_SUB = _updating("AssignSubVariableOp", "subtract")


_of_graphs: list[type[Variable]] = []


def bind_variables_of_graphs(kind: type[Variable]) -> None:
    """Says what a `Variable` is in a graph built by hand; called once, by the package of them."""
    _of_graphs.append(kind)


class Variable(Operators):
    """A tensor that a program can assign; used like a tensor it is its value at that moment.

    Args:
      initial_value: anything a tensor can be made of, or a function that gives it.
      trainable: whether gradients are taken with respect to it by default.
      validate_shape: False lets later values have any shape.
      name: the name in messages.
      dtype: the dtype; None: that of the initial value.
      constraint: a function applied to the value after optimiser steps.
      shape: the shape of all values; None: that of the initial value.

    Raises: ValueError if a function creates it at another than its first call.

    >>> v = Variable(1.0)
    >>> v.assign_add(2.0)
    <tf.Variable 'Variable:0' shape=() dtype=float32, numpy=3.0>
    >>> print(v * 2.0)
    tf.Tensor(6.0, shape=(), dtype=float32)
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Variable:
        """Makes a variable of the graph that is being built by hand, if there is one."""
        graph = STATE.graph
        if cls is Variable and graph is not None and not graph.building_function:
            return object.__new__(_of_graphs[0])
        return object.__new__(cls)

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        validate_shape: bool = True,
        name: str | None = None,
        dtype: Any = None,
        constraint: Callable[[Any], Any] | None = None,
        shape: Any = None,
    ) -> None:
        """Creates the variable with its first value."""
        if initial_value is None:
            raise ValueError("a Variable needs an initial value")
        created = STATE.creating
        if STATE.graph is not None and created is None:
            raise ValueError(
                "tf.function-decorated function tried to create variables on non-first call. "
                "Create the variable outside the function, or once, under a test such as "
                "`if self.v is None`."
            )
        value = _initial(initial_value, None if dtype is None else dtypes.as_dtype(dtype))
        self._name = name or "Variable"
        self.trainable = trainable is not False
        self.constraint = constraint
        dims: Dims = value.spec.dims if shape is None else TensorShape(shape).dims
        self._known = value.spec.with_dims(dims if validate_shape else None)
        self._check_shape(value)
        self._cell = Cell(value.array)
        self.handle: Tensor = EagerTensor(self._cell, _RESOURCE)
        if created is not None:
            created(self)

    @property
    def spec(self) -> TensorSpec:
        """Dtype and shape of all values."""
        return self._known

    @property
    def dtype(self) -> DType:
        """The type of the elements."""
        return self._known.dtype

    @property
    def shape(self) -> TensorShape:
        """The shape of all values, as far as it is fixed."""
        return self._known.shape

    @property
    def name(self) -> str:
        """The name, with `:0` behind it."""
        return f"{self._name}:0"

    @property
    def _spec(self) -> VariableType:
        """Its type among the arguments of a function, as tensors have theirs."""
        return VariableType(self._known, self.trainable)

    @property
    def _a(self) -> Cell:
        """What a graph gets for it, as for tensors the array."""
        return self._cell

    def with_handle(self, handle: Tensor) -> Variable:
        """The variable as an argument of a graph, which learns only then which one it is."""
        argument = copy.copy(self)
        argument.handle = handle
        return argument

    def read_value(self) -> Tensor:
        """The value at this moment of the program."""
        return _READ(self.handle, spec=self._known)

    def value(self) -> Tensor:
        """The same as `read_value`."""
        return self.read_value()

    def numpy(self) -> Any:
        """The value as a NumPy array. Refused while a graph is being recorded."""
        return self.read_value().numpy()  # type: ignore[attr-defined]

    def assign(
        self,
        value: TensorLike,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Variable:
        """Gives the variable another value.

        Raises: TypeError for another dtype; ValueError for another shape.

        >>> print(Variable([1, 2]).assign([3, 4]).numpy())
        [3 4]
        """
        _ASSIGN.outputs(self.handle, self._fitting(value), name=name)
        return self

    def assign_add(
        self,
        delta: TensorLike,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Variable:
        """Adds to the value; see `assign`."""
        _ASSIGN_ADD.outputs(self.handle, self._fitting(delta, broadcast=True), name=name)
        return self

    def assign_sub(
        self,
        delta: TensorLike,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Variable:
        """Subtracts from the value; see `assign`."""
        _ASSIGN_SUB.outputs(self.handle, self._fitting(delta, broadcast=True), name=name)
        return self

    def _fitting(self, value: TensorLike, broadcast: bool = False) -> Tensor:
        tensor = convert_to_tensor(value, self.dtype)
        if not (broadcast and tensor.shape.rank == 0):
            self._check_shape(tensor)
        return tensor

    def _check_shape(self, value: Tensor) -> None:
        if not compatible(self._known.dims, value.spec.dims):
            raise ValueError(
                f"Cannot assign value to variable '{self.name}': Shape mismatch. The variable has "
                f"shape {self.shape}, the value has shape {value.shape}."
            )

    def ref(self) -> Reference:
        """A hashable reference to this very variable."""
        return Reference(self)

    def __tf_tensor__(self, dtype: DType | None, name: str | None) -> Tensor:
        """The value as an operand."""
        value = self.read_value()
        return value if dtype is None else convert_to_tensor(value, dtype)

    def __bool__(self) -> bool:
        """The truth of the value."""
        return bool(self.read_value())

    def __int__(self) -> int:
        """The value as an int."""
        return int(self.read_value())  # type: ignore[call-overload, no-any-return]

    def __float__(self) -> float:
        """The value as a float."""
        return float(self.read_value())  # type: ignore[arg-type]

    def __index__(self) -> int:
        """The value as an index."""
        return self.read_value().__index__()  # type: ignore[attr-defined, no-any-return]

    def __len__(self) -> int:
        """The first dimension."""
        return len(self.read_value())  # type: ignore[arg-type]

    def __iter__(self) -> Iterator[Any]:
        """The rows of the value."""
        return iter(self.read_value())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """The value for NumPy."""
        return np.array(self.numpy(), dtype=dtype)

    def __format__(self, spec: str) -> str:
        """Formats the value of a scalar, like a Python number."""
        return format(self.numpy(), spec) if spec else str(self)

    def __repr__(self) -> str:
        """Gives `<tf.Variable 'Variable:0' shape=() dtype=float32, numpy=3.0>`."""
        text = f"<tf.Variable '{self.name}' shape={format_dims(self._known.dims)}"
        text += f" dtype={self.dtype.name}"
        if STATE.graph is not None:
            return text + ">"
        value = self._cell.value
        shown = str(value) if not np.ndim(value) else repr(value)
        separator = "\n" if "\n" in shown else ""
        return f"{text}, numpy={separator}{shown}>"


def _initial(value: Any, dtype: DType | None) -> EagerTensor:
    if callable(value):
        with init_scope():
            value = value()
    if hasattr(type(value), "__tf_tensor__"):
        with init_scope():
            value = convert_to_tensor(value)
    if isinstance(value, SymbolicTensor):
        value = EagerTensor(lifted_value(value))
    with init_scope():
        tensor = convert_to_tensor(value, dtype)
        tensor = tensor if dtype is None else cast_to(tensor, dtype)
    assert isinstance(tensor, EagerTensor)
    return tensor
