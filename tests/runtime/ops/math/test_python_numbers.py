"""Functions of Python numbers: Python's results and errors, where the graph runs."""

import math

import pytest

import runtime as tf

NAN = math.nan


def test_points_of_different_numbers_of_dimensions_have_no_distance():
    with pytest.raises(ValueError, match="same number of dimensions"):
        tf.function(lambda x: math.dist([x, 1.0], [x]))(tf.constant(2.0))


@pytest.mark.parametrize(
    "program",
    [
        lambda x: math.pow(x, 0.3),
        lambda x: math.hypot(x, 0.3),
        lambda x: math.fmod(0.3, x),
        lambda x: math.atan2(x, 0.3),
        lambda x: math.fsum([x, 0.1]),
        lambda x: math.dist([x, 0.1], [0.3, 0.2]),
        lambda x: math.gcd(int(x), 2**40),
    ],
)
def test_numbers_of_the_program_keep_all_digits_beside_a_tensor(program):
    found = tf.function(lambda x: tf.cast(program(x), tf.float64))(tf.constant(2.5))
    assert float(found) == pytest.approx(program(2.5), rel=1e-15)


def test_sums_and_distances_take_vectors():
    def program(xs):
        return tf.cast([math.fsum(xs), math.dist(xs[:2], xs[1:])], tf.float64)

    xs = tf.constant([0.5, 1.5, 4.0], tf.float64)
    assert tf.function(program)(xs).numpy().tolist() == [6.0, math.dist((0.5, 1.5), (1.5, 4.0))]


@pytest.mark.parametrize(
    ("program", "x", "kind", "text"),
    [
        (lambda x: math.sqrt(x), -1.0, ValueError, "math domain error"),
        (lambda x: math.log(x), 0.0, ValueError, "math domain error"),
        (lambda x: math.exp(x), 1000.0, OverflowError, "math range error"),
        (lambda x: int(x), NAN, ValueError, "cannot convert float NaN to integer"),
        (lambda x: int(x), math.inf, OverflowError, "cannot convert float infinity"),
        (lambda x: math.factorial(x), -1, ValueError, "not defined for negative values"),
        (lambda x: 1 << x, -1, ValueError, "negative shift count"),
        (lambda x: [1, 2].index(x), 3, ValueError, "is not in list|not in list"),
    ],
)
def test_errors_of_python_are_raised_where_the_program_runs(program, x, kind, text):
    def guarded(x, run):
        if run:
            return float(program(x))
        return 0.0

    traced = tf.function(guarded)
    assert float(traced(tf.constant(x), tf.constant(False))) == 0.0
    with pytest.raises(kind, match=text):
        program(x)
    with pytest.raises(kind, match=text) as caught:
        traced(tf.constant(x), tf.constant(True))
    assert any(__file__ in note for note in caught.value.__notes__)


def test_an_integer_that_does_not_fit_is_refused():
    with pytest.raises(tf.errors.InvalidArgumentError, match="does not fit into int32"):
        tf.function(lambda x: math.floor(x))(tf.constant(1e20))
    with pytest.raises(tf.errors.InvalidArgumentError, match="does not fit into int32"):
        tf.function(lambda x: x << 40)(tf.constant(1))
