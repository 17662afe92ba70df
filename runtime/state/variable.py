"""Variables: tensors that a program can assign."""

from __future__ import annotations

import copy
import functools
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from typing import Any, NoReturn

import numpy as np

from runtime.core import dtypes
from runtime.core.context import current_scope, get_default_graph, init_scope
from runtime.core.dtypes import DType
from runtime.core.errors import (
    IncompatibleShapesError,
    InvalidArgumentError,
    StagingError,
)
from runtime.core.graph import Graph
from runtime.core.machine.devices import name_of_asked_cpu
from runtime.core.observed import awaited, note_read, note_write
from runtime.core.operation import Operation
from runtime.core.places import Place, user_place
from runtime.core.shapes import TensorShape, as_dims, compatible, format_dims
from runtime.core.spec import TensorSpec
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import (
    EagerTensor,
    Operators,
    Reference,
    Tensor,
    TensorLike,
)
from runtime.core.thread import STATE
from runtime.ops.base.aliases import DTypeLike, ShapeLike
from runtime.ops.base.convert import cast_to, convert_to_tensor
from runtime.ops.base.define import Op
from runtime.ops.items.indexing import getitem, with_item
from runtime.state.cells import (
    ASSIGN,
    ASSIGN_ADD,
    ASSIGN_SUB,
    READ,
    RESOURCE,
    Cell,
    end_waiting,
    new_cell,
)
from runtime.state.creation import GraphKeys, Shown, VariableAggregation, VariableSynchronization
from runtime.state.handles import IS_INITIALIZED, VAR_HANDLE
from runtime.state.lifting import lifted_value
from runtime.state.object_graph import SavedState
from runtime.state.updates import Updates
from runtime.state.variable_type import VariableArgument, VariableType


class Variable(Updates, SavedState, VariableArgument, Operators, metaclass=Shown):
    """A tensor that a program can assign. As an operand it is its current value.

    Args:
      initial_value: anything that converts to a tensor, or a function that returns it.
      trainable: whether gradients and optimizers include it by default; None: True unless
        `synchronization` is ON_READ.
      name: the name in messages.
      dtype: the dtype; None: that of the initial value.
      constraint: a function applied to the value after optimizer steps.
      shape: the static shape of all values; None: that of the initial value.
      validate_shape, caching_device, variable_def, import_scope, aggregation: ignored.

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

    state_suffix = ".ATTRIBUTES/VARIABLE_VALUE"
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
        caching_device: object = None,
        name: str | None = None,
        variable_def: object = None,
        dtype: DTypeLike = None,
        import_scope: str | None = None,
        constraint: Callable[[Any], Any] | None = None,
        synchronization: VariableSynchronization = VariableSynchronization.AUTO,
        aggregation: VariableAggregation = VariableAggregation.NONE,
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
            raise ValueError(
                "tf.function-decorated function tried to create variables on non-first call. "
                "tf.function only supports singleton tf.Variables created on the first call. "
                "Create the variable outside the function, or once, under a test such as "
                "`if self.v is None`."
            )
        value = _initial(initial_value, None if dtype is None else dtypes.as_dtype(dtype))
        self._name = current_scope() + (name or "Variable")
        self._note(trainable, constraint, synchronization, aggregation)
        self._known = _known_spec(value.spec, shape)
        self._hold(value.array)
        if created is not None:
            created(self)

    def _note(
        self,
        trainable: bool | None,
        constraint: Callable[[Any], Any] | None,
        synchronization: VariableSynchronization,
        aggregation: VariableAggregation,
    ) -> None:
        for what, value, kind in (
            ("synchronization", synchronization, VariableSynchronization),
            ("aggregation", aggregation, VariableAggregation),
        ):
            if value is not None and not isinstance(value, kind):
                raise ValueError(
                    f"Invalid variable {what} mode: {value} for variable: {self._name}"
                )
        read_late = synchronization is VariableSynchronization.ON_READ
        self._trainable = not read_late if trainable is None else bool(trainable)
        self.constraint = constraint
        self.synchronization = synchronization
        self.aggregation = aggregation
        self._device = name_of_asked_cpu()

    def _hold(self, array: object) -> None:
        self._cell = new_cell(array)
        self.creation: Place | None = user_place() if awaited else None
        self._cell.variable = weakref.ref(self)
        self.handle: Tensor = EagerTensor(self._cell, RESOURCE)

    def saved_state(self) -> Any:
        """Return the value, for a checkpoint."""
        return self.numpy()

    def check_state(self, key: str, dtype: DType, dims: tuple[int, ...]) -> None:
        """Raise if the value cannot become an array of a checkpoint.

        Raises:
          ValueError: if the shape differs.
          InvalidArgumentError: if the dtype differs.
        """
        created = f" The variable is created at {self.creation}." if self.creation else ""
        if not compatible(self._known.dims, dims):
            raise ValueError(
                f"Received incompatible tensor with shape {dims} when attempting to restore "
                f"variable with shape {self.shape} and name {self.name}: the checkpoint has {key}."
                f"{created}"
            )
        if dtype is not self.dtype:
            raise InvalidArgumentError.of(
                f"tensor_name = {key}; expected dtype {self.dtype.name} does not equal original "
                f"dtype {dtype.name}: variable '{self.name}' cannot be restored.{created}",
            )

    def restore(self, array: object) -> None:
        """Set a saved value of the same dtype and shape."""
        end_waiting(self._cell)
        self._cell.value = array

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
        """Whether gradients and optimizers include the variable by default."""
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
        """Return a symbolic variable for a graph argument; the handle is bound at each call."""
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
        """Alias of `shape`."""
        return self.shape

    def set_shape(self, shape: object) -> None:
        """Refine the static shape. Raises ValueError if it contradicts the known shape."""
        self._known = self._known.with_dims(as_dims(self.shape.merge_with(shape)))

    def is_initialized(self, name: str | None = None) -> Tensor:
        """Return True: the variable is initialized at creation."""
        return convert_to_tensor(True)

    def load(self, value: TensorLike, session: object = None) -> None:
        """Assign a value without returning a result."""
        self.assign(value)

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
        """Alias of `read_value`."""
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

    def assign(
        self,
        value: TensorLike,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Assign a value.

        Args:
          value: tensor of the dtype and shape of the variable.
          use_locking, name: ignored.
          read_value: whether to return the variable.

        Returns: The variable, or None if not `read_value`.

        Raises:
          TypeError, ValueError: if the dtype differs.
          ValueError: if the shape differs.

        >>> print(Variable([1, 2]).assign([3, 4]).numpy())
        [3 4]
        """
        tensor = convert_to_tensor(value, self.dtype)
        self._check_shape(tensor)
        return self._assigned(ASSIGN, (tensor,), name, read_value)

    def assign_add(
        self,
        delta: TensorLike,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Add to the value; see `assign`. Raises InvalidArgumentError if the shape differs."""
        return self._assigned(ASSIGN_ADD, (self._fitting(delta),), name, read_value)

    def assign_sub(
        self,
        delta: TensorLike,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Subtract from the value; see `assign`. Raises InvalidArgumentError if the shape
        differs.
        """
        return self._assigned(ASSIGN_SUB, (self._fitting(delta),), name, read_value)

    def eval(self, session: object = None) -> Any:
        """Raise: only variables in graphs of a Session have this method.

        Raises:
          RuntimeError: always.
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

    def _fitting(self, delta: TensorLike) -> Tensor:
        tensor = convert_to_tensor(delta, self.dtype)
        if not compatible(self._known.dims, tensor.spec.dims):
            raise IncompatibleShapesError.of(
                f"Cannot update variable with shape {self.shape} using a Tensor with shape "
                f"{tensor.shape}, shapes must be equal: variable '{self.name}'.",
            )
        return tensor

    def _check_shape(self, value: Tensor) -> None:
        if not compatible(self._known.dims, value.spec.dims):
            raise ValueError(
                f"Cannot assign value to variable '{self.name}': Shape mismatch. The variable "
                f"shape {self.shape}, and the assigned value shape {value.shape} are incompatible."
            )

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

    def __copy__(self) -> Variable:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Variable:
        """Return another variable with the same value."""
        copied: Variable = object.__new__(type(self))
        memo[id(self)] = copied
        copied.__setstate__(copy.deepcopy(self.__getstate__(), memo))
        return copied

    def __getstate__(self) -> dict[str, Any]:
        """Return the value and all other fields, for copies and pickles."""
        own = {key: held for key, held in self.__dict__.items() if key not in ("_cell", "handle")}
        return {**own, "value": self.numpy()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the fields; the inverse of `__getstate__`."""
        value = state.pop("value")
        self.__dict__.update(state)
        self._hold(value)

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
        """Whether functions get this variable itself, not a placeholder: see `ref`."""
        return self._owner._identified

    def __tf_tensor__(self, dtype: DType | None, name: str | None) -> Tensor:
        """Return the value as an operand."""
        value = self.read_value()
        return value if dtype is None else convert_to_tensor(value, dtype)

    def __bool__(self) -> bool:
        return bool(self.read_value())

    def __int__(self) -> int:
        return int(self.read_value())  # type: ignore[call-overload, no-any-return]

    def __float__(self) -> float:
        return float(self.read_value())  # type: ignore[arg-type]

    def __index__(self) -> int:
        return self.read_value().__index__()  # type: ignore[attr-defined, no-any-return]

    def __len__(self) -> int:
        return len(self.read_value())  # type: ignore[arg-type]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.read_value())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """Return the value for NumPy."""
        return np.array(self.numpy(), dtype=dtype)

    def __format__(self, spec: str) -> str:
        return format(self.numpy(), spec) if spec else str(self)

    def __repr__(self) -> str:
        """Return `<tf.Variable 'Variable:0' shape=() dtype=float32, numpy=3.0>`."""
        text = f"<tf.Variable '{self.name}' shape={format_dims(self._known.dims)}"
        text += f" dtype={self.dtype.name}"
        if STATE.graph is not None:
            return text + ">"
        value = self._cell.peek()
        shown = str(value) if not np.ndim(value) else repr(value)
        separator = "\n" if "\n" in shown else ""
        return f"{text}, numpy={separator}{shown}>"


class GraphVariable(Variable):
    """A variable of a graph built by hand; `runtime.Variable` creates it there.

    `assign`, `assign_add` and `assign_sub` return an assigned variable; fetching it runs the
    assignment and returns the new value. With `read_value=False` they return the operation, which
    has no value.

    Args:
      initial_value: the value that the initializer assigns: anything that converts to a tensor, or
        a function that returns it.
      trainable: whether to add it to `trainable_variables()`.
      validate_shape: False: later values may have any shape.
      name: the name in the graph, made unique.
      dtype: the dtype; None: that of the initial value.
      constraint: a function applied to the value after optimizer steps.
      shape: the static shape of all values; None: that of the initial value.
      collections: the collections to add it to; None: `global_variables()`.
      caching_device, variable_def, import_scope, synchronization, aggregation, use_resource:
        ignored.

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
        caching_device: object = None,
        name: str | None = None,
        variable_def: object = None,
        dtype: DTypeLike = None,
        import_scope: str | None = None,
        constraint: Callable[[Any], Any] | None = None,
        synchronization: VariableSynchronization = VariableSynchronization.AUTO,
        aggregation: VariableAggregation = VariableAggregation.NONE,
        shape: ShapeLike = None,
        collections: Iterable[str] | None = None,
        use_resource: bool | None = None,
    ) -> None:
        require_initial_value(initial_value)
        wanted = None if dtype is None else dtypes.as_dtype(dtype)
        self._note(trainable, constraint, synchronization, aggregation)
        with init_scope():
            graph = get_default_graph()
            with graph.name_scope(name or "Variable") as scope:
                value = _initial_in_graph(initial_value, wanted)
                dims = value.spec.dims if shape is None else as_dims(shape)
                self._known = value.spec.with_dims(dims if validate_shape else None)
                self._build(scope, value)
        keys = [GraphKeys.GLOBAL_VARIABLES] if collections is None else list(collections)
        if self.trainable and GraphKeys.TRAINABLE_VARIABLES not in keys:
            keys.append(GraphKeys.TRAINABLE_VARIABLES)
        graph.add_to_collections(keys, self)

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
            self._snapshot = self._read()

    def _read(self) -> Tensor:
        return READ(self.handle, spec=self._known)

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

    def is_initialized(self, name: str | None = None) -> Tensor:
        """Return whether the variable has a value in the Session, a bool scalar."""
        return IS_INITIALIZED(self.handle, name=name)

    def read_value(self) -> Tensor:
        """Return the value at the time of this operation."""
        return self._read()

    def eval(self, session: object = None) -> Any:
        """Return the value in a Session; None: the default one."""
        return self._as_graph_element().eval(session=session)

    def load(self, value: TensorLike, session: object = None) -> None:
        """Assign a value in a Session; None: the default one."""
        self.initializer.run({self.initial_value: value}, session)

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
        """Hash by identity, so that variables can be keys of feeds."""
        return id(self)

    def __bool__(self) -> bool:
        """Raise: the value is known only when the graph runs."""
        return bool(self.read_value())

    def __repr__(self) -> str:
        """Return `<tf.Variable 'Variable:0' shape=() dtype=float32>`."""
        shape = format_dims(self._known.dims)
        return f"<tf.Variable '{self.name}' shape={shape} dtype={self.dtype.name}>"


class AssignedVariable(GraphVariable):
    """A variable after an assignment: its reads wait for that assignment."""

    def __init__(self, variable: GraphVariable, op: Operation) -> None:
        """Represent the variable after `op`."""
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

    def _read(self) -> Tensor:
        graph: Graph = STATE.graph
        inside = graph is not self._assignment.graph
        with nullcontext() if inside else graph.control_dependencies([self._assignment]):
            return super()._read()

    def _as_graph_element(self) -> Any:
        if self._after is None:
            with self.graph.as_default():
                self._after = self._read()
        return self._after


def _with_part(array: object, key: object, part: TensorLike) -> Any:
    changed = with_item(EagerTensor(array), key, part)
    assert isinstance(changed, EagerTensor)
    return changed.array


def require_initial_value(value: object) -> None:
    """Raise ValueError if the initial value of a variable is None."""
    if value is None:
        raise ValueError(
            "The `initial_value` arg to `tf.Variable` must be specified: a Variable needs an "
            "initial value."
        )


def _known_spec(spec: TensorSpec, shape: object) -> TensorSpec:
    if shape is None:
        return spec
    wanted = TensorShape(shape)
    if not wanted.is_compatible_with(spec.dims):
        raise ValueError(
            f"In this `tf.Variable` creation, the initial value's shape ({spec.shape}) is not "
            f"compatible with the explicitly supplied `shape` argument ({wanted})."
        )
    return spec.with_dims(as_dims(wanted))


def _initial(value: object, dtype: DType | None) -> EagerTensor:
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


def _initial_in_graph(value: object, dtype: DType | None) -> Tensor:
    graph = get_default_graph()
    if isinstance(value, SymbolicTensor):
        return convert_to_tensor(value, dtype)
    with graph.name_scope("Initializer"):
        given = value() if callable(value) else value
        return convert_to_tensor(given, dtype, name="initial_value")
