"""What loops and branches save for their gradients."""

import numpy as np
import pytest

import runtime as tf

FACTOR = tf.constant(np.linspace(1.0, 2.0, 2000, dtype=np.float32))


@pytest.mark.parametrize(
    ("step", "lists"),
    [
        pytest.param(lambda y, x: y + x, 0, id="a sum reads nothing"),
        pytest.param(lambda y, x: y * x, 1, id="a product reads its state, not the factor"),
        pytest.param(lambda y, x: y * tf.exp(x), 1, id="computed alike in all iterations"),
        pytest.param(lambda y, x: y * tf.exp(tf.sin(x) + 2.0), 1, id="a chain of these"),
        pytest.param(lambda y, x: y + tf.reduce_sum(x * FACTOR), 0, id="a large constant"),
        pytest.param(lambda y, x: tf.tanh(y) * x, 1, id="a result that is read twice"),
        pytest.param(lambda y, x: y * tf.exp(y), 2, id="computed anew in each iteration"),
    ],
)
def test_a_loop_keeps_only_what_its_gradient_reads_and_what_changes(step, lists):
    @tf.function
    def program(x, n):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            while tf.constant(0) < n:
                y = step(y, x)
                n -= 1
        return tape.gradient(y, x)

    concrete = program.get_concrete_function(tf.TensorSpec([]), tf.TensorSpec([], tf.int32))
    loop = next(op for op in concrete.graph.operations if "While" in op.type)
    assert sum(tensor.dtype is tf.variant for tensor in loop.outputs) == lists

    x = tf.constant(0.3)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = step(step(step(x, x), x), x)
    assert float(concrete(x, tf.constant(3))) == pytest.approx(float(tape.gradient(y, x)), rel=1e-5)


def test_what_may_fail_is_not_computed_before_a_loop_that_may_not_run():
    @tf.function
    def program(x, position, n):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.constant(1.0)
            for _ in tf.range(n):
                y = y * tf.gather(x, position)
        return tape.gradient(y, x, unconnected_gradients="zero")

    x, wrong = tf.constant([2.0, 3.0]), tf.constant(5)
    assert program(x, tf.constant(1), tf.constant(3)).numpy().tolist() == [0.0, 27.0]
    assert program(x, wrong, tf.constant(0)).numpy().tolist() == [0.0, 0.0]
    with pytest.raises(tf.errors.InvalidArgumentError):
        program(x, wrong, tf.constant(1))
