"""The gradient of an operand that was repeated is summed over what repeated it."""

import pytest

import runtime as tf
from runtime.ops.base.unbroadcasting import UNBROADCAST_TO


@pytest.mark.parametrize(
    ("shape", "summed"),
    [([2], [4.0, 6.0]), ([2, 1], [[3.0], [7.0]]), ([], 10.0), ([2, 2], [[1.0, 2.0], [3.0, 4.0]])],
)
def test_a_tensor_is_summed_over_the_axes_that_are_shorter(shape, summed):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    target = tf.constant(shape, tf.int32)
    assert UNBROADCAST_TO(x, target).numpy().tolist() == summed
    by_graph = tf.function(lambda x, target: UNBROADCAST_TO(x, target))
    assert by_graph(x, target).numpy().tolist() == summed


@pytest.mark.parametrize("known", [True, False])
def test_each_operand_gets_a_gradient_of_its_own_shape(known):
    @tf.function(input_signature=[tf.TensorSpec([2, 1] if known else None, tf.float32)] * 2)
    def gradients(x, y):
        with tf.GradientTape() as tape:
            tape.watch([x, y])
            z = x * tf.reshape(y, [1, 2])
        return tape.gradient(z, [x, y])

    dx, dy = gradients([[1.0], [2.0]], [[3.0], [4.0]])
    assert dx.numpy().tolist() == [[7.0], [7.0]]
    assert dy.numpy().tolist() == [[3.0], [3.0]]
