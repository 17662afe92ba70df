"""Variables of graphs built by hand: each Session initializes and stores their values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from runtime.compat.v1.collections import global_variables, local_variables
from runtime.core import dtypes
from runtime.core.default_graph import get_default_graph
from runtime.core.operation import Operation
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.identity import NO_OP
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import call
from runtime.ops.items.gathering import gather_nd
from runtime.ops.items.selecting import where
from runtime.ops.math.elementwise import logical_not
from runtime.state.variable import GraphVariable


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
