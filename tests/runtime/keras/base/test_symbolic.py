"""Symbolic tensors of functional models record what is done to them."""

import numpy as np
import pytest

import runtime as tf
from runtime.keras.base.symbolic import KerasTensor

RESULTS = {
    "operator": (lambda x: x + 1, (None, 3)),
    "reflected": (lambda x: 1 - x, (None, 3)),
    "item": (lambda x: x[:, 0], (None,)),
    "function": (lambda x: tf.reduce_mean(x, axis=1, keepdims=True), (None, 1)),
    "reshape": (lambda x: tf.reshape(x, [-1, 1]), (None, 1)),
    "joined": (lambda x: tf.concat([x, x], 1), (None, 6)),
    "with a tensor": (lambda x: tf.matmul(x, tf.ones([3, 2])), (None, 2)),
    "with a variable": (lambda x: x * tf.Variable(2.0), (None, 3)),
}


@pytest.mark.parametrize(("function", "shape"), RESULTS.values(), ids=RESULTS)
def test_operations_give_symbolic_tensors_of_known_shape(function, shape):
    result = function(KerasTensor((None, 3)))
    assert isinstance(result, KerasTensor)
    assert tuple(result.shape) == shape


def test_a_recorded_operation_runs_again_with_values():
    x = KerasTensor((None, 3))
    y = tf.nn.relu(x)
    node = y.history.operation.nodes[0]
    output = node.call({id(x): tf.constant([[-1.0, 0.0, 2.0]])})
    np.testing.assert_array_equal(output, [[0.0, 0.0, 2.0]])


def test_shapes_that_do_not_fit_are_refused_when_they_are_recorded():
    with pytest.raises(tf.errors.InvalidArgumentError, match="MatMul"):
        tf.matmul(KerasTensor((None, 3)), tf.ones([4, 2]))


@pytest.mark.parametrize("use", [bool, iter, np.asarray], ids=lambda use: use.__name__)
def test_a_value_is_refused(use):
    with pytest.raises((TypeError, ValueError), match=r"KerasTensor|placeholder"):
        use(KerasTensor((None, 3)))
