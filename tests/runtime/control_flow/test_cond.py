"""`cond`, `switch_case` and `while_loop` as a program calls them."""

import numpy as np
import pytest

import runtime as tf
from tests.runtime.control_flow.agreement import both


@pytest.mark.parametrize("value", [3.0, -3.0])
def test_cond(value):
    def f(x):
        return tf.cond(x > 0.0, lambda: {"y": x, "z": [x]}, lambda: {"y": -x, "z": [x * 2.0]})

    eager, traced = both(f, tf.constant(value))
    assert float(eager["y"]) == float(traced["y"])
    assert float(eager["z"][0]) == float(traced["z"][0])


@pytest.mark.parametrize("index", [0, 1, 7])
def test_switch_case(index):
    def f(i):
        return tf.switch_case(i, [lambda: 10, lambda: 20], default=lambda: -1)

    eager, traced = both(f, tf.constant(index))
    assert int(eager) == int(traced)


def test_branches_read_variables_when_they_run():
    v = tf.Variable(1.0)

    @tf.function(autograph=False)
    def f(x):
        v.assign_add(1.0)
        return tf.cond(x, lambda: v * 10.0, lambda: v * 100.0)

    assert float(f(tf.constant(True))) == 20.0
    assert float(f(tf.constant(False))) == 300.0


def test_effects_in_loops_and_branches_happen_in_order(capsys):
    v = tf.Variable(0)

    @tf.function
    def f(n):
        tf.print("start", v)
        for i in tf.range(n):
            v.assign_add(i)
            if i % 2 == 0:
                tf.print("even", i, v)
            else:
                v.assign(v * 10)
        tf.print("end", v)

    f(tf.constant(4))
    assert capsys.readouterr().err.splitlines() == [
        "start 0",
        "even 0 0",
        "even 2 12",
        "end 150",
    ]


def test_nothing_of_a_branch_that_is_not_taken_happens(capsys):
    @tf.function
    def f(x, ys):
        if x > 0:
            tf.print("taken")
            z = ys[5]
        else:
            z = 0
        return z

    assert int(f(tf.constant(-1), tf.range(tf.constant(3)))) == 0
    assert capsys.readouterr().err == ""


def test_captured_arrays_reach_inner_graphs():
    large = tf.range(1000)

    @tf.function
    def f(n):
        total = 0
        for i in tf.range(n):
            if i > 1:
                total += large[i]
        return total

    assert int(f(tf.constant(4))) == 5
    np.testing.assert_array_equal(large.numpy()[:2], [0, 1])


@pytest.mark.parametrize("wrap", [lambda f: f, tf.function], ids=["eager", "function"])
def test_a_predicate_is_one_value(wrap):
    choose = wrap(lambda pred: tf.cond(pred, lambda: 1, lambda: 2))
    assert int(choose([False])) == int(choose(tf.constant([False]))) == 2
    for pred in ([True, False], (False, False), tf.constant([True, False])):
        with pytest.raises(ValueError, match="ambiguous"):
            choose(pred)
    with pytest.raises(TypeError, match=r"pred must be a value, .* Call it"):
        choose(lambda: False)
