"""Values as tensors, and back: None, lists and dicts come back as they are."""

import runtime as tf

I = tf.constant  # noqa: E741


def test_a_branch_that_may_leave_none():
    def f(xs):
        result = None
        if xs[0] > 0:
            result = xs[0]
        return result

    assert float(tf.function(f)(I([1.0]))) == 1.0
    assert tf.function(f)(I([-1.0])) is None


def test_none_or_a_value():
    def f(x):
        y = None
        if x > 0:
            y = x
        return y

    assert float(tf.function(f)(I(1.0))) == 1.0
    assert tf.function(f)(I(-1.0)) is None
