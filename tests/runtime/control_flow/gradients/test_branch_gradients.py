"""Gradients of branches: through the one that was taken."""

import runtime as tf


def test_a_gradient_passes_through_the_branch_that_was_taken():
    @tf.function
    def compute_gradient_conditional(x):
        with tf.GradientTape() as tape:
            if tf.reduce_sum(x) > 0:  # noqa: SIM108
                y = x * x
            else:
                y = x * x * x
        return tape.gradient(y, x)

    assert str(compute_gradient_conditional(tf.Variable([-2.0, 2.0])).numpy()) == "[12. 12.]"
    assert str(compute_gradient_conditional(tf.Variable([1.0, 2.0])).numpy()) == "[2. 4.]"


def test_a_root_that_the_taken_branch_does_not_use_has_no_slope():
    def program(x):
        root = tf.sqrt(x)
        if x > 0:  # noqa: SIM108
            y = root
        else:
            y = 3.0 * x
        return y

    for run in (program, tf.function(program)):
        x = tf.Variable(0.0)
        with tf.GradientTape() as tape:
            y = run(x)
        assert float(tape.gradient(y, x)) == 3.0
