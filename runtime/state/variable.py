"""Variables: tensors that a program can assign."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any, NoReturn

import numpy as np

from autograph.staging import trace
from runtime.core import dtypes
from runtime.core.aliases import DTypeLike, ShapeLike
from runtime.core.context import current_scope, get_default_graph, init_scope
from runtime.core.dtypes import DType
from runtime.core.errors import StagingError
from runtime.core.graph import Graph
from runtime.core.machine.devices import name_of_asked_cpu
from runtime.core.observed import note_read, note_write
from runtime.core.operation import Operation
from runtime.core.shapes import TensorShape, as_dims, format_dims
from runtime.core.spec import TensorSpec
from runtime.core.tensor import EagerTensor, Reference, Tensor, TensorLike, exact_text
from runtime.core.thread import STATE
from runtime.ops.base.define import Op
from runtime.ops.items.indexing import getitem, with_item
from runtime.state.cells import ASSIGN, IS_INITIALIZED, READ, VAR_HANDLE, Cell
from runtime.state.copied import Copied
from runtime.state.initial_values import (
    initial,
    initial_in_graph,
    known_spec,
    require_initial_value,
)
from runtime.state.operand import Operand, Shown
from runtime.state.updates import Updates
from runtime.state.variable_type import VariableType


class Variable(Updates, Copied, Operand, metaclass=Shown):
    """A tensor that a program can assign. As an operand it is its current value.

    Args:
      initial_value: anything that converts to a tensor, or a function that returns it.
      trainable: whether gradients and optimizers include it by default; None: True.
      name: the name in messages.
      dtype: the dtype; None: that of the initial value.
      constraint: a function applied to the value after optimizer steps.
      shape: the static shape of all values; None: that of the initial value.
      validate_shape: ignored.

    Raises:
      ValueError: without an initial value, if its shape does not fit, or if a function creates the
        variable after its first call.
      TypeError: if the value does not fit the dtype.

    >>> v = Variable(1.0)
    >>> v.assign_add(2.0)
    <tf.Variable 'Variable:0' shape=() dtype=float32, numpy=3.0>
    >>> print(v * 2.0)
    tf.Tensor(6.0, shape=(), dtype=float32)
    """

    _identified: bool = False

    def __new__(cls, *args: object, **kwargs: object) -> Variable:
        """Create the variable in the graph being built by hand, if there is one."""
        graph = STATE.graph
        if cls is Variable and graph is not None and not graph.building_function:
            return object.__new__(GraphVariable)
        return object.__new__(cls)

    def __init__(
        self,
        initial_value: object = None,
        trainable: bool | None = None,
        validate_shape: bool = True,
        *,
        name: str | None = None,
        dtype: DTypeLike = None,
        constraint: Callable[[Any], Any] | None = None,
        shape: ShapeLike = None,
    ) -> None:
        require_initial_value(initial_value)
        if constraint is not None and not callable(constraint):
            raise ValueError(
                "Argument `constraint` must be None or a callable. Got a "
                f"{type(constraint)}: {constraint}"
            )
        created = STATE.creating
        if STATE.graph is not None and created is None:
            remedy = (
                "Create the variable before the staged branch or loop, which is traced whether or "
                "not it runs: nothing that it assigns is there in the next trace."
                if trace.reach is not None
                else "Create the variable outside the function, or once, under a test such as "
                "`if self.v is None`."
            )
            raise ValueError(
                "tf.function-decorated function tried to create variables on non-first call. "
                "tf.function only supports singleton tf.Variables created on the first call. "
                f"{remedy}"
            )
        value = initial(initial_value, None if dtype is None else dtypes.as_dtype(dtype))
        self._name = current_scope() + (name or "Variable")
        self._note(trainable, constraint)
        self._known = known_spec(value.spec, shape)
        self._hold(value.array)
        if created is not None:
            created(self)

    def _note(self, trainable: bool | None, constraint: Callable[[Any], Any] | None) -> None:
        self._trainable = trainable is None or bool(trainable)
        self.constraint = constraint
        self._device = name_of_asked_cpu()

    @property
    def spec(self) -> TensorSpec:
        """Dtype and static shape."""
        return self._known

    @property
    def dtype(self) -> DType:
        """The type of the elements."""
        return self._known.dtype

    @property
    def shape(self) -> TensorShape:
        """The static shape of all values."""
        return self._known.shape

    @property
    def trainable(self) -> bool:
        """True if gradients and optimizers include the variable by default."""
        note_read(self, "_trainable")
        return self._trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._trainable = value
        note_write(self, "_trainable", value)

    @property
    def name(self) -> str:
        """The name, with the suffix `:0`."""
        return f"{self._name}:0"

    @property
    def _spec(self) -> VariableType:
        """The variable's type as an argument of a function, as for tensors."""
        return VariableType(self._known, self.trainable)

    @property
    def _a(self) -> Cell:
        """The cell that a graph receives, as it receives the array of a tensor."""
        return self._cell

    def with_handle(self, handle: Tensor) -> Variable:
        """Return a symbolic variable for a graph argument; the handle is bound at each call.

        Args:
          handle: the resource tensor of the argument.
        """
        argument: Variable = object.__new__(type(self))
        argument.__dict__.update(self.__dict__)
        argument.handle = handle
        return argument

    @property
    def device(self) -> str:
        """The full name of the CPU that was selected at the creation."""
        return self._device

    @property
    def initializer(self) -> Any:
        """None: the variable is initialized at creation."""
        return None

    def get_shape(self) -> TensorShape:
        """Return the static shape, as `shape` does."""
        return self.shape

    def set_shape(self, shape: object) -> None:
        """Refine the static shape.

        Args:
          shape: anything that converts to a `TensorShape`.

        Raises: ValueError if it contradicts the known shape.
        """
        self._known = self._known.with_dims(as_dims(self.shape.merge_with(shape)))

    def read_value(self) -> Tensor:
        """Return the current value."""
        if STATE.tapes:
            self.note_access()
        return READ(self.handle, spec=self._known)

    def note_access(self) -> None:
        """Report the read to the tapes."""
        for tape in STATE.tapes:
            tape.accessed(self)

    def value(self) -> Tensor:
        """Return the current value, as `read_value` does."""
        return self.read_value()

    def numpy(self) -> Any:
        """Return the value as a NumPy array.

        Raises: NotImplementedError during tracing.
        """
        if STATE.graph is not None:
            text = (
                "numpy() is only available when eager execution is enabled: the graph that is "
                f"being recorded reads variable '{self.name}' when it runs. Use the variable "
                "itself, or its read_value()."
            )
            if STATE.graph.building_function:
                raise StagingError(text, public=NotImplementedError)
            raise NotImplementedError(text)
        return self.read_value().numpy()  # type: ignore[attr-defined]

    def eval(self, session: object = None) -> Any:
        """Raise: only variables in graphs of a Session have this method.

        Args:
          session: has no effect.

        Raises: RuntimeError always.
        """
        raise RuntimeError(
            "This operation is not supported when eager execution is enabled. The value of "
            f"variable '{self.name}' is its numpy()."
        )

    def _assigned(
        self, change: Op, operands: Sequence[Tensor], name: str | None, read_value: bool
    ) -> Any:
        change.outputs(self.handle, *operands, name=name)
        return self if read_value else None

    def __getitem__(self, key: object) -> Tensor:
        """Return some elements of the value; `v[key].assign(x)` replaces them in the variable."""
        part = getitem(self.read_value(), key)
        part.assign = functools.partial(self._assign_part, key)
        return part

    def _assign_part(self, key: object, value: TensorLike, name: str | None = None) -> Variable:
        if STATE.graph is None:
            self._cell.update(lambda array, part: _with_part(array, key, part), value)
        else:
            self.assign(with_item(self.read_value(), key, value))
        return self

    def __hash__(self) -> int:
        """Raise: `==` compares values."""
        raise TypeError(
            f"Variable is unhashable. Instead, use variable.ref() as the key. (Variable: {self!r})"
        )

    def ref(self) -> Reference:
        """Return a hashable reference to this variable; of a function's argument, to that passed.

        A function that asks for it, as optimizers do, gets a graph for each variable.
        """
        owner = self._owner
        if owner is not self:
            owner._identified = True
        return Reference(owner)

    @property
    def _owner(self) -> Variable:
        """The variable that was passed, if this one represents an argument in a graph."""
        owner = self._cell.variable()
        return self if owner is None else owner

    @property
    def identified(self) -> bool:
        """True if functions get this variable itself, not a placeholder: see `ref`."""
        return self._owner._identified

    def __repr__(self) -> str:
        text = f"<tf.Variable '{self.name}' shape={format_dims(self._known.dims)}"
        text += f" dtype={self.dtype.name}"
        if STATE.graph is not None:
            return text + ">"
        value = self._cell.peek()
        shown = repr(value) if np.ndim(value) else exact_text(value)
        separator = "\n" if "\n" in shown else ""
        return f"{text}, numpy={separator}{shown}>"


class GraphVariable(Variable):
    """A variable of a graph built by hand; `runtime.Variable` creates it there.

    `assign`, `assign_add` and `assign_sub` return an assigned variable; fetching it runs the
    assignment and returns the new value. With `read_value=False` they return the operation, which
    has no value.

    Args:
      validate_shape: False: later values may have any shape.
      initial_value, trainable, name, dtype, constraint, shape: as of `Variable`; the initializer
        assigns the initial value.

    >>> import runtime as tf
    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     v = tf.Variable(1.0)
    ...     session.run(v.initializer)
    ...     print(session.run(v.assign_add(2.0)))
    3.0
    """

    def __init__(
        self,
        initial_value: object = None,
        trainable: bool | None = None,
        validate_shape: bool = True,
        *,
        name: str | None = None,
        dtype: DTypeLike = None,
        constraint: Callable[[Any], Any] | None = None,
        shape: ShapeLike = None,
    ) -> None:
        require_initial_value(initial_value)
        wanted = None if dtype is None else dtypes.as_dtype(dtype)
        self._note(trainable, constraint)
        with init_scope():
            graph = get_default_graph()
            with graph.name_scope(name or "Variable") as scope:
                value = initial_in_graph(initial_value, wanted)
                dims = value.spec.dims if shape is None else as_dims(shape)
                self._known = value.spec.with_dims(dims if validate_shape else None)
                self._build(scope, value)
        graph.variables.append(self)

    def _build(self, scope: str, value: Tensor) -> None:
        self._name = scope.removesuffix("/")
        spec = self._known
        self.handle: Any = VAR_HANDLE(
            shared_name=self._name, dtype=spec.dtype, shape=spec.dims, name=scope
        )
        self._initial_value = value
        graph = get_default_graph()
        with graph.name_scope("IsInitialized"):
            IS_INITIALIZED(self.handle)
        ASSIGN.outputs(self.handle, value, name="Assign")
        self._initializer = graph.operations[-1]
        with graph.name_scope("Read"):
            self._snapshot = self.read_value()

    @property
    def graph(self) -> Graph:
        """The graph that the variable belongs to."""
        return self.handle.graph  # type: ignore[no-any-return]

    @property
    def op(self) -> Operation:
        """The operation that represents the variable in the graph."""
        return self.handle.op  # type: ignore[no-any-return]

    @property
    def device(self) -> str:
        """The requested device, or an empty string."""
        return self.op.device

    @property
    def initializer(self) -> Operation:
        """The operation that assigns the initial value."""
        return self._initializer

    @property
    def initial_value(self) -> Tensor:
        """The initial value."""
        return self._initial_value

    def read_value(self) -> Tensor:
        """Return the value at the time of this operation."""
        return READ(self.handle, spec=self._known)

    def eval(self, session: object = None) -> Any:
        """Return the value in a Session; None: the default one."""
        return self._as_graph_element().eval(session=session)

    def numpy(self) -> NoReturn:
        """Raise: the value is in a Session."""
        raise NotImplementedError(
            "numpy() is only available when eager execution is enabled. Use session.run(v)."
        )

    def _assigned(
        self, change: Op, operands: Sequence[Tensor], name: str | None, read_value: bool
    ) -> Any:
        change.outputs(self.handle, *operands, name=name)
        graph: Graph = STATE.graph
        if graph.building_function:
            return self
        op = graph.operations[-1]
        return AssignedVariable(self, op) if read_value else op

    def _as_graph_element(self) -> Any:
        return self._snapshot

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        shape = format_dims(self._known.dims)
        return f"<tf.Variable '{self.name}' shape={shape} dtype={self.dtype.name}>"


class AssignedVariable(GraphVariable):
    """A variable after an assignment: its reads wait for that assignment."""

    def __init__(self, variable: GraphVariable, op: Operation) -> None:
        self.__dict__.update(variable.__dict__)
        self._assignment = op
        self._after: Tensor | None = None

    @property
    def op(self) -> Operation:
        """The assignment operation."""
        return self._assignment

    @property
    def name(self) -> str:
        """The name of the assignment operation."""
        return self._assignment.name

    def read_value(self) -> Tensor:
        """Return the value after the assignment."""
        graph: Graph = STATE.graph
        inside = graph is not self._assignment.graph
        with nullcontext() if inside else graph.control_dependencies([self._assignment]):
            return super().read_value()

    def _as_graph_element(self) -> Any:
        if self._after is None:
            with self.graph.as_default():
                self._after = self.read_value()
        return self._after


def _with_part(array: object, key: object, part: TensorLike) -> Any:
    changed = with_item(EagerTensor(array), key, part)
    assert isinstance(changed, EagerTensor)
    return changed.array
