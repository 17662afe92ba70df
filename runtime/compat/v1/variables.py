"""Variables of graphs built by hand: each Session initializes and stores their values."""

from __future__ import annotations

from collections.abc import Iterable

from runtime.core.context import get_default_graph
from runtime.core.operation import Operation
from runtime.ops.array.identity import NO_OP
from runtime.state.variable import GraphVariable


def global_variables() -> list[GraphVariable]:
    """Return the variables of the default graph.

    >>> import runtime as tf
    >>> with tf.Graph().as_default():
    ...     v = tf.Variable(1.0, name="v")
    ...     global_variables()
    [<tf.Variable 'v:0' shape=() dtype=float32>]
    """
    return list(get_default_graph().variables)


def trainable_variables() -> list[GraphVariable]:
    """Return the trainable variables of the default graph.

    >>> import runtime as tf
    >>> with tf.Graph().as_default():
    ...     v = tf.Variable(1.0, name="v")
    ...     step = tf.Variable(0, name="step", trainable=False)
    ...     trainable_variables()
    [<tf.Variable 'v:0' shape=() dtype=float32>]
    """
    return [variable for variable in global_variables() if variable.trainable]


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


def variables_initializer(var_list: Iterable[GraphVariable], name: str = "init") -> Operation:
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


def global_variables_initializer() -> Operation:
    """Return an operation that initializes all of `global_variables()`.

    >>> import runtime as tf
    >>> with tf.Graph().as_default():
    ...     v = tf.Variable(1.0)
    ...     global_variables_initializer()
    <tf.Operation 'init' type=NoOp>
    """
    return variables_initializer(global_variables())
