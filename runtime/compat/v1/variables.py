"""Variables of graphs built by hand: each Session initializes and stores their values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from typing import Any, NoReturn

from runtime.compat.v1.collections import GraphKeys, global_variables, local_variables
from runtime.core import dtypes
from runtime.core.context import init_scope
from runtime.core.default_graph import get_default_graph
from runtime.core.graph import Graph
from runtime.core.operation import Operation
from runtime.core.shapes import as_dims, format_dims
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.ops.array.placeholders import NO_OP
from runtime.ops.base.aliases import DTypeLike, ShapeLike
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import Op, call
from runtime.ops.items.gathering import gather_nd
from runtime.ops.items.selecting import where
from runtime.ops.math.elementwise import logical_not
from runtime.state.cells import ASSIGN
from runtime.state.handles import IS_INITIALIZED, VAR_HANDLE
from runtime.state.placement import VariableAggregation, VariableSynchronization
from runtime.state.variable import (
    Variable,
    require_initial_value,
)


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

    asks_creators = True

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
        """Add the variable and its initializer to the graph."""
        require_initial_value(initial_value)
        wanted = None if dtype is None else dtypes.as_dtype(dtype)
        self._note(trainable, constraint, synchronization, aggregation)
        with init_scope():
            graph = get_default_graph()
            with graph.name_scope(name or "Variable") as scope:
                value = _initial(initial_value, wanted)
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
        return call("ReadVariableOp", self.handle, spec=self._known)

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


def _initial(value: object, dtype: dtypes.DType | None) -> Tensor:
    graph = get_default_graph()
    if isinstance(value, SymbolicTensor):
        return convert_to_tensor(value, dtype)
    with graph.name_scope("Initializer"):
        given = value() if callable(value) else value
        return convert_to_tensor(given, dtype, name="initial_value")


def variables_initializer(var_list: Iterable[Any], name: str = "init") -> Operation:
    """Return an operation that initializes the variables of a list.

    Args:
      var_list: the variables.
      name: the name of the operation.

    >>> import runtime as tf
    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     v = tf.Variable([1, 2])
    ...     session.run(variables_initializer([v]))
    ...     print(session.run(v))
    [1 2]
    """
    return group(*(variable.initializer for variable in var_list), name=name)


def group(*inputs: object, name: str | None = None) -> Operation:
    """Return an operation that only waits for others.

    Args:
      inputs: operations or tensors.
      name: the name of the operation.

    >>> import runtime as tf
    >>> with tf.Graph().as_default():
    ...     group(tf.constant(1), tf.constant(2), name="both").control_inputs
    [<tf.Operation 'Const' type=Const>, <tf.Operation 'Const_1' type=Const>]
    """
    graph = get_default_graph()
    with graph.as_default(), graph.control_dependencies(inputs):
        NO_OP.outputs(name=name or "group_deps")
    return graph.operations[-1]


def global_variables_initializer() -> Operation:
    """Return an operation that initializes all of `global_variables()`.

    >>> import runtime as tf
    >>> with tf.Graph().as_default():
    ...     v = tf.Variable(1.0)
    ...     global_variables_initializer()
    <tf.Operation 'init' type=NoOp>
    """
    return variables_initializer(global_variables())


def local_variables_initializer() -> Operation:
    """Return an operation that initializes all of `local_variables()`.

    >>> import runtime as tf
    >>> with tf.Graph().as_default():
    ...     local_variables_initializer().type
    'NoOp'
    """
    return variables_initializer(local_variables())


def is_variable_initialized(variable: GraphVariable) -> Tensor:
    """Return whether a variable has a value in the Session, a bool scalar.

    Args:
      variable: a variable of a graph built by hand.

    >>> import runtime as tf
    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     v = tf.Variable(5.0)
    ...     session.run(v.initializer)
    ...     print(session.run(tf.compat.v1.is_variable_initialized(v)))
    True
    """
    return variable.is_initialized()


def report_uninitialized_variables(
    var_list: Iterable[GraphVariable] | None = None, name: str = "report_uninitialized_variables"
) -> Tensor:
    """Return the names of variables without a value in the Session, a string vector.

    Args:
      var_list: the variables; None: global and local ones.
      name: the name scope.

    >>> import runtime as tf
    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     v = tf.Variable(1.0, name="v")
    ...     print(session.run(report_uninitialized_variables()))
    [b'v']
    """
    variables = [*global_variables(), *local_variables()] if var_list is None else list(var_list)
    with get_default_graph().name_scope(name):
        names = convert_to_tensor([variable.op.name for variable in variables], dtypes.string)
        flags = [variable.is_initialized() for variable in variables]
        if not flags:
            return names
        missing = logical_not.op(call("Pack", *flags, axis=0))
        return gather_nd.op(names, where.op(missing))


def assign(
    ref: GraphVariable,
    value: TensorLike,
    validate_shape: bool | None = None,
    use_locking: bool | None = None,
    name: str | None = None,
) -> Any:
    """Assign a value; see `GraphVariable`.

    Args:
      ref: a variable of a graph built by hand.
      value: tensor of the dtype and shape of the variable.
      validate_shape, use_locking: ignored.
      name: the name of the operation.

    >>> import runtime as tf
    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     v = tf.Variable(5.0)
    ...     session.run(v.initializer)
    ...     print(session.run(tf.compat.v1.assign(v, 2.0)))
    2.0
    """
    return ref.assign(value, name=name)


def assign_add(
    ref: GraphVariable, value: TensorLike, use_locking: bool | None = None, name: str | None = None
) -> Any:
    """Add to a variable; see `GraphVariable`.

    Args:
      ref: a variable of a graph built by hand.
      value: tensor of the dtype and shape of the variable.
      use_locking: ignored.
      name: the name of the operation.

    >>> import runtime as tf
    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     v = tf.Variable(5.0)
    ...     session.run(v.initializer)
    ...     print(session.run(tf.compat.v1.assign_add(v, 2.0)))
    7.0
    """
    return ref.assign_add(value, name=name)


def assign_sub(
    ref: GraphVariable, value: TensorLike, use_locking: bool | None = None, name: str | None = None
) -> Any:
    """`ref.assign_sub(value)`; see `GraphVariable`.

    >>> import runtime as tf
    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     v = tf.Variable(5.0)
    ...     session.run(v.initializer)
    ...     print(session.run(tf.compat.v1.assign_sub(v, 2.0)))
    3.0
    """
    return ref.assign_sub(value, name=name)
