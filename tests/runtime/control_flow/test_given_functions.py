"""Functions that a program gives to functions of a library are converted, as its own are."""

import functools

import numpy as np
import pytest

import autograph
import runtime as tf

XS = [1.0, -2.0, 3.0]


def bent(x):
    if x > 0:
        return x * 2
    return -x


def joined(total, x):
    if x > 0:
        return total + x
    return total * 2


class Bender:
    def __init__(self, factor):
        self.factor = factor

    def bend(self, x):
        return x * self.factor if x > 0 else -x

    def __call__(self, x):
        return self.bend(x)


BENDER = Bender(2)


def map_fn(x):
    return tf.map_fn(bent, x)


def map_fn_by_keyword(x):
    return tf.map_fn(fn=bent, elems=x)


def map_fn_of_method(x):
    return tf.map_fn(BENDER.bend, x)


def map_fn_of_object(x):
    return tf.map_fn(BENDER, x)


def map_fn_of_argument(x, function=bent):
    return tf.map_fn(function, x)


def vectorized_map(x):
    return tf.vectorized_map(bent, x)


def map_in_map(x):
    return tf.map_fn(lambda row: tf.map_fn(bent, row), tf.stack([x]))[0]


def map_structure(x):
    return tf.stack(tf.nest.map_structure(bent, [x[0], x[1], x[2]]))


@pytest.mark.parametrize(
    "program",
    [
        map_fn, map_fn_by_keyword, map_fn_of_method, map_fn_of_object, map_fn_of_argument,
        vectorized_map, map_in_map, map_structure,
    ],
)  # fmt: skip
def test_functions_of_rows(program):
    for xs in (XS, [-1.0, 5.0, -7.0]):
        expected = [bent(x) for x in xs]
        np.testing.assert_array_equal(tf.function(program)(tf.constant(xs)), expected)
        np.testing.assert_array_equal(autograph.to_graph(program)(tf.constant(xs)), expected)


def scan(x):
    return tf.scan(joined, x, initializer=0.0)[-1]


def reduce(x):
    return functools.reduce(joined, [x[0], x[1], x[2]], tf.constant(0.0))


def while_loop(x):
    def body(i, total):
        return i + 1, joined(total, x[i])

    return tf.while_loop(lambda i, total: i < 3, body, (0, tf.constant(0.0)))[1]


@pytest.mark.parametrize("program", [scan, reduce, while_loop])
def test_functions_that_carry_a_value(program):
    for xs in (XS, [-1.0, 5.0, -7.0]):
        expected = functools.reduce(joined, xs, 0.0)
        assert float(tf.function(program)(tf.constant(xs))) == expected


def cond(x):
    return tf.cond(x[0] > 0, functools.partial(bent, x[1]), functools.partial(bent, x[2]))


def switch_case(x):
    index = tf.cast(x[0] <= 0, tf.int32)
    return tf.switch_case(index, {0: lambda: bent(x[1]), 1: functools.partial(bent, x[2])})


@pytest.mark.parametrize("program", [cond, switch_case])
def test_functions_one_of_which_runs(program):
    for xs in (XS, [-1.0, 5.0, -7.0]):
        expected = bent(xs[1]) if xs[0] > 0 else bent(xs[2])
        assert float(tf.function(program)(tf.constant(xs))) == expected


@autograph.do_not_convert
def left_alone(x):
    if x > 0:
        return x * 2
    return -x


def test_functions_that_are_not_to_be_converted_stay():
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError):
        tf.function(lambda x: tf.map_fn(left_alone, x))(tf.constant(XS))
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError):
        tf.function(map_fn, autograph=False)(tf.constant(XS))


def fails(x):
    if x > 0:
        raise ValueError("positive")
    return x


def test_errors_are_at_the_line_of_the_given_function():
    with pytest.raises(Exception, match="positive") as caught:
        tf.function(lambda x: tf.map_fn(fails, x))(tf.constant(XS))
    assert "in fails" in "".join(caught.value.__notes__)
