"""Variables of graphs built by hand: each Session initializes and stores their values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from runtime.compat.v1.collections import global_variables, local_variables
from runtime.core.context import get_default_graph
from runtime.core.operation import Operation
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.identity import NO_OP
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
    """Subtract from a variable; see `GraphVariable`.

    >>> import runtime as tf
    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     v = tf.Variable(5.0)
    ...     session.run(v.initializer)
    ...     print(session.run(tf.compat.v1.assign_sub(v, 2.0)))
    3.0
    """
    return ref.assign_sub(value, name=name)
