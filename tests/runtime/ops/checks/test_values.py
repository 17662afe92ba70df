"""Checks: what they say when they fail, at once and when a graph runs, and that they pass."""

import numpy as np
import pytest

import runtime as tf

D = tf.debugging
Invalid = tf.errors.InvalidArgumentError


def running(check, *values):
    """Runs a check in a graph that knows nothing of its arguments."""
    tensors = [tf.constant(value) for value in values]
    signature = [tf.TensorSpec(None, tensor.dtype) for tensor in tensors]

    def checked(*args):
        check(*args)
        return args[0]

    return tf.function(checked, input_signature=signature, autograph=False)(*tensors)


PAIRS = [
    (D.assert_equal, "==", [1, 2], [1, 2], [1, 3]),
    (D.assert_less, "<", [1, 2], [2, 3], [2, 2]),
    (D.assert_less_equal, "<=", [1, 2], [1, 3], [1, 1]),
    (D.assert_greater, ">", [1, 2], [0, 1], [0, 2]),
    (D.assert_greater_equal, ">=", [1, 2], [1, 1], [1, 3]),
]


@pytest.mark.parametrize(("check", "sign", "x", "good", "bad"), PAIRS)
def test_relations(check, sign, x, good, bad):
    check(x, good)
    running(check, x, good)
    with pytest.raises(Invalid, match=f"note\nCondition x {sign} y did not hold."):
        check(x, bad, message="note")
    with pytest.raises(Invalid, match=f"Condition x {sign} y did not hold element-wise:"):
        running(check, x, bad)


def test_differences_are_listed():
    with pytest.raises(Invalid) as caught:
        D.assert_equal([1, 2, 3], [1, 3, 4])
    assert str(caught.value).startswith(
        "Condition x == y did not hold.\n"
        "Indices of first 2 different values:\n[[1]\n [2]]\n"
        "Corresponding x values:\n[2 3]\n"
        "Corresponding y values:\n[3 4]\n"
        "First 3 elements of x:\n[1 2 3]\n"
        "First 3 elements of y:\n[1 3 4]"
    )


def test_what_is_known_is_checked_while_recording():
    @tf.function(autograph=False)
    def wrong():
        D.assert_equal(tf.constant(1), tf.constant(2))

    with pytest.raises(Invalid, match="did not hold element-wise"):
        wrong.get_concrete_function()


SIGNS = [
    (D.assert_positive, ">", [1, 2], [0, 1]),
    (D.assert_negative, "<", [-1, -2], [0, -1]),
    (D.assert_non_negative, ">=", [0, 2], [-1, 1]),
    (D.assert_non_positive, "<=", [0, -2], [1, -1]),
]


@pytest.mark.parametrize(("check", "sign", "good", "bad"), SIGNS)
def test_signs(check, sign, good, bad):
    check(good)
    running(check, good)
    with pytest.raises(Invalid, match=f"Condition x {sign} 0 did not hold element-wise:"):
        check(bad)
    with pytest.raises(Invalid, match=f"Condition x {sign} 0 did not hold element-wise:"):
        running(check, bad)


@pytest.mark.parametrize(
    ("value", "text"),
    [([np.inf], "Inf"), ([np.nan, 1.0], "NaN"), ([-np.inf, np.nan], "Inf and NaN")],
)
def test_numerics(value, text):
    assert float(D.check_numerics(1.0, "note")) == 1.0
    with pytest.raises(Invalid, match=f"note : Tensor had {text} values"):
        D.check_numerics(value, "note")


def test_checks_of_graphs_built_by_hand_are_operations():
    with tf.Graph().as_default():
        x = tf.compat.v1.placeholder(tf.int32, [None])
        assert D.assert_positive(x).type == "Assert"
        assert D.assert_equal(tf.constant(1), tf.constant(1)).type == "NoOp"
    assert D.assert_equal(1, 1) is None
