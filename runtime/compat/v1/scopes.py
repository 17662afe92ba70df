"""Variables shared by name: `get_variable` and `variable_scope`."""

from __future__ import annotations

import enum
import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from runtime.compat.v1.collections import add_to_collection
from runtime.compat.v1.initial_values import default_initializer
from runtime.core import context, dtypes
from runtime.core.context import (
    current_scope,
    executing_eagerly,
    executing_eagerly_outside_functions,
    get_default_graph,
)
from runtime.core.errors import UnimplementedError
from runtime.core.graph import Graph
from runtime.core.shapes import TensorShape
from runtime.ops.base.convert import convert_to_tensor
from runtime.state.creation import GraphKeys, VariableAggregation, VariableSynchronization
from runtime.state.variable import GraphVariable, Variable


class Reuse(enum.Enum):
    """Whether `get_variable` creates a missing variable."""

    AUTO_REUSE = "auto"


AUTO_REUSE = Reuse.AUTO_REUSE


def _require_whole(partitioner: object, custom_getter: object) -> None:
    for name, value in (("partitioner", partitioner), ("custom_getter", custom_getter)):
        if value is not None:
            raise UnimplementedError.of(
                f"`{name}` is not supported: every variable is one array, made here"
            )


class VariableScope:
    """The name prefix and the defaults of `get_variable`.

    Attributes:
      name: the scope, without a trailing slash.
      reuse: False: variables must be new; True: they must exist; `AUTO_REUSE`: either.
      initializer, regularizer, constraint, dtype: defaults for variables.
      original_name_scope: the name scope entered with it.

    >>> import runtime as tf
    >>> with tf.Graph().as_default(), variable_scope("a") as scope:
    ...     scope.name, scope.reuse
    ('a', False)
    """

    def __init__(
        self,
        reuse: Any,
        name: str = "",
        initializer: Any = None,
        regularizer: Any = None,
        caching_device: Any = None,
        partitioner: Any = None,
        custom_getter: Any = None,
        name_scope: str = "",
        dtype: Any = dtypes.float32,
        use_resource: bool | None = None,
        constraint: Any = None,
    ) -> None:
        """Store the settings; see `variable_scope`."""
        _require_whole(partitioner, custom_getter)
        self.name = name
        self.reuse = reuse
        self.initializer = initializer
        self.regularizer = regularizer
        self.constraint = constraint
        self.dtype = dtype
        self.original_name_scope = name_scope

    def reuse_variables(self) -> None:
        """Require that variables exist from now on."""
        self.reuse = True

    def global_variables(self) -> list[Any]:
        """Return the global variables of the default graph in this scope."""
        return get_default_graph().get_collection(GraphKeys.GLOBAL_VARIABLES, self._prefix)

    def trainable_variables(self) -> list[Any]:
        """Return the trainable variables of the default graph in this scope."""
        return get_default_graph().get_collection(GraphKeys.TRAINABLE_VARIABLES, self._prefix)

    @property
    def _prefix(self) -> str:
        return f"{self.name}/" if self.name else ""


class _Store:
    """The shared variables and scopes of one graph."""

    def __init__(self) -> None:
        self.variables: dict[str, Variable] = {}
        self.scope = VariableScope(False)
        self.default_names: dict[str, int] = {}

    def unique(self, name: str) -> str:
        count = self.default_names.get(name, 0)
        self.default_names[name] = count + 1
        return name if not count else f"{name}_{count}"


_stores: weakref.WeakKeyDictionary[Graph, _Store] = weakref.WeakKeyDictionary()


def _store() -> _Store:
    graph = _outermost(get_default_graph())
    if graph not in _stores:
        _stores[graph] = _Store()
    return _stores[graph]


def _outermost(graph: Graph) -> Graph:
    while graph.building_function and graph.outer is not None:
        graph = graph.outer
    return graph


def get_variable_scope() -> VariableScope:
    """Return the current variable scope.

    >>> import runtime as tf
    >>> with tf.Graph().as_default(), variable_scope("a"):
    ...     get_variable_scope().name
    'a'
    """
    return _store().scope


@contextmanager
def variable_scope(
    name_or_scope: object,
    default_name: str | None = None,
    values: object = None,
    initializer: object = None,
    regularizer: object = None,
    caching_device: object = None,
    partitioner: object = None,
    custom_getter: object = None,
    reuse: object = None,
    dtype: object = None,
    use_resource: bool | None = None,
    constraint: object = None,
    auxiliary_name_scope: bool = True,
) -> Iterator[VariableScope]:
    """Enter a variable scope: a name prefix and defaults for variables created inside.

    Args:
      name_or_scope: the name of a new scope, or a scope to re-enter; None: `default_name` made
        unique.
      default_name: see `name_or_scope`.
      values, caching_device, use_resource: ignored.
      partitioner, custom_getter: must be None.
      initializer, regularizer, dtype, constraint: defaults for variables inside.
      reuse: False or None: inherited; True: variables must exist; `AUTO_REUSE`: either.
      auxiliary_name_scope: whether to enter a name scope for operations too.

    Raises:
      TypeError: if there is no name, or it is neither a string nor a scope.
      ValueError: for `reuse` without a name.
      UnimplementedError: for `partitioner` or `custom_getter`.

    >>> import runtime as tf
    >>> with tf.Graph().as_default():
    ...     with variable_scope("a"):
    ...         x = get_variable("x", [2])
    ...     with variable_scope("a", reuse=True):
    ...         x is get_variable("x")
    True
    """
    _require_whole(partitioner, custom_getter)
    if name_or_scope is None and default_name is None:
        raise TypeError("If default_name is None then name_or_scope is required")
    store = _store()
    before = store.scope
    with ExitStack() as stack:
        store.scope = scope = _opened(store, name_or_scope, default_name, reuse)
        if auxiliary_name_scope:
            entered = name_or_scope if isinstance(name_or_scope, str) else scope.name.split("/")[-1]
            scope.original_name_scope = stack.enter_context(context.name_scope(entered))
        for setting, value in (
            ("initializer", initializer),
            ("regularizer", regularizer),
            ("dtype", None if dtype is None else dtypes.as_dtype(dtype)),
            ("constraint", constraint),
        ):
            if value is not None:
                setattr(scope, setting, value)
        try:
            yield scope
        finally:
            store.scope = before


def _opened(
    store: _Store, name_or_scope: object, default_name: str | None, reuse: object
) -> VariableScope:
    around = store.scope
    if isinstance(name_or_scope, VariableScope):
        like, name = name_or_scope, name_or_scope.name
    elif isinstance(name_or_scope, str) or name_or_scope is None:
        if name_or_scope is None and reuse:
            raise ValueError("reuse=True cannot be used without a name_or_scope")
        like = around
        prefix = f"{around.name}/" if around.name else ""
        name = prefix + (name_or_scope or "")
        if name_or_scope is None:
            name = store.unique(f"{prefix}{default_name}")
    else:
        raise TypeError("VariableScope: name_or_scope must be a string or VariableScope.")
    return VariableScope(
        reuse or like.reuse,
        name,
        like.initializer,
        like.regularizer,
        name_scope=like.original_name_scope,
        dtype=like.dtype,
        constraint=like.constraint,
    )


def get_variable(
    name: str,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Callable[[Any], Any] | None = None,
    trainable: bool | None = None,
    collections: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    validate_shape: bool = True,
    use_resource: bool | None = None,
    custom_getter: Any = None,
    constraint: Any = None,
    synchronization: VariableSynchronization = VariableSynchronization.AUTO,
    aggregation: VariableAggregation = VariableAggregation.NONE,
) -> Variable:
    """Return the variable with a name in the current `variable_scope`, new or existing.

    Args:
      name: the name, without the prefix of the scope.
      shape: the shape; required unless `initializer` is a value.
      dtype: the dtype; None: that of the scope (float32).
      initializer: a function of shape and dtype, or a value; None: Glorot uniform for floats, else
        zeros.
      regularizer: returns a loss of the variable, added to `REGULARIZATION_LOSSES`.
      trainable: whether to add it to `trainable_variables()`.
      collections: the collections to add it to; None: `global_variables()`.
      caching_device, use_resource: ignored.
      partitioner, custom_getter: must be None.
      validate_shape: False: later values may have any shape.
      constraint: a function applied to the value after optimizer steps.
      synchronization, aggregation: stored as attributes of the variable.

    Returns:
      The variable.

    Raises:
      ValueError: if the variable exists and must be new, is missing and must exist, or has another
        shape or dtype.
      UnimplementedError: for `partitioner` or `custom_getter`.

    >>> import runtime as tf
    >>> with tf.Graph().as_default():
    ...     get_variable("x", [2])
    <tf.Variable 'x:0' shape=(2,) dtype=float32>
    """
    _require_whole(partitioner, custom_getter)
    settings: dict[str, Any] = {
        "synchronization": synchronization,
        "aggregation": aggregation,
        "trainable": trainable,
        "constraint": constraint,
        "validate_shape": validate_shape,
    }
    if executing_eagerly():
        full = current_scope() + name
        value = _first_value(full, shape, dtype, initializer, VariableScope(False))
        return Variable(value, name=full, **settings)
    store = _store()
    scope = store.scope
    full = f"{scope.name}/{name}" if scope.name else name
    known = store.variables.get(full)
    if known is not None:
        _check_shared(known, full, shape, dtype, scope)
        return known
    if scope.reuse is True:
        raise ValueError(
            f"Variable {full} does not exist, or was not created with tf.get_variable(). Did you "
            "mean to set reuse=tf.AUTO_REUSE in VarScope?"
        )
    settings["constraint"] = constraint or scope.constraint
    value = _first_value(full, shape, dtype, initializer, scope)
    with context.name_scope(""):
        if executing_eagerly_outside_functions():
            variable = Variable(value, name=full, **settings)
        else:
            variable = GraphVariable(value, name=full, collections=collections, **settings)
    store.variables[full] = variable
    _regularize(variable, regularizer or scope.regularizer)
    return variable


def _regularize(variable: Variable, regularizer: Callable[[Any], Any] | None) -> None:
    if regularizer is not None:
        with context.name_scope(f"{variable.name.removesuffix(':0')}/Regularizer/"):
            add_to_collection(GraphKeys.REGULARIZATION_LOSSES, regularizer(variable))


def _check_shared(
    variable: Variable, full: str, shape: object, dtype: object, scope: VariableScope
) -> None:
    if not scope.reuse:
        raise ValueError(
            f"Variable {full} already exists, disallowed. Did you mean to set reuse=True or "
            "reuse=tf.AUTO_REUSE in VarScope?"
        )
    if shape is not None and not variable.shape.is_compatible_with(TensorShape(shape)):
        raise ValueError(
            f"Trying to share variable {full}, but specified shape {TensorShape(shape)} and found "
            f"shape {variable.shape}."
        )
    wanted = dtypes.as_dtype(dtype or scope.dtype)
    if dtype is not None and wanted is not variable.dtype:
        raise ValueError(
            f"Trying to share variable {full}, but specified dtype {wanted.name} and found dtype "
            f"{variable.dtype.name}."
        )


def _first_value(
    full: str, shape: object, dtype: object, initializer: object, scope: VariableScope
) -> Any:
    wanted = dtypes.as_dtype(dtype or scope.dtype)
    initial = scope.initializer if initializer is None else initializer
    if initial is not None and not callable(initial):
        return convert_to_tensor(initial) if dtype is None else convert_to_tensor(initial, wanted)
    if shape is None:
        raise ValueError(
            f"Variable {full} did not get an initializer, so its `shape` argument must be "
            "specified."
        )
    chosen = default_initializer(wanted) if initial is None else initial
    made = chosen() if isinstance(chosen, type) else chosen
    dims = TensorShape(shape).as_list()
    return lambda: made(dims, dtype=wanted)


@contextmanager
def name_scope(
    name: str | None, default_name: str | None = None, values: object = None
) -> Iterator[str]:
    """Enter a name scope; see `runtime.name_scope`.

    Args:
      name: the scope; None: `default_name`.
      default_name: see `name`.
      values: ignored.

    Raises:
      ValueError: if there is no name.

    >>> import runtime as tf
    >>> with tf.Graph().as_default(), name_scope(None, "layer"):
    ...     tf.constant(1.0).name
    'layer/Const:0'
    """
    chosen = default_name if name is None else name
    if chosen is None and values is not None:
        raise ValueError(
            f"At least one of name ({name}) and default_name ({default_name}) must be provided."
        )
    with context.name_scope(chosen or "") as scope:
        yield scope
