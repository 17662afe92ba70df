"""Checks of converted code run with its results in a graph that is built by hand."""

import pytest

import autograph
import runtime as tf


def asserted(x):
    assert x > 0, "not positive"
    return x + 1


def asserted_late(x):
    y = x + 1
    assert x > 0, "not positive"
    return y


def raised(x):
    if x <= 0:
        raise ValueError("not positive")
    return x + 1


def unbound(x):
    if x > 0:
        y = x
    return y + 1


def missing_key(x):
    found = {}
    if x > 0:
        found["a"] = x
    return found["a"] + 1


def raised_in_a_loop(x):
    for i in tf.range(3):
        if i + x <= 0:
            raise ValueError("not positive")
    return {"result": [x + 1]}


PROGRAMS = [
    (asserted, tf.errors.InvalidArgumentError),
    (asserted_late, tf.errors.InvalidArgumentError),
    (raised, ValueError),
    (unbound, UnboundLocalError),
    (missing_key, KeyError),
    (raised_in_a_loop, ValueError),
]


@pytest.mark.parametrize("stage", [autograph.to_graph, autograph.convert()])
@pytest.mark.parametrize(
    ("program", "error"), PROGRAMS, ids=[program.__name__ for program, _ in PROGRAMS]
)
def test_a_check_runs_with_each_result(program, error, stage):
    graph = tf.Graph()
    with graph.as_default():
        x = tf.compat.v1.placeholder(tf.int32, [])
        result = tf.nest.flatten(stage(program)(x))[0]
        with tf.compat.v1.Session(graph=graph) as session:
            assert session.run(result, {x: 3}) == 4
            with pytest.raises(error):
                session.run(result, {x: -3})


def test_results_without_checks_stay_what_they_are():
    def program(x):
        y = x + 1
        return y, KEPT.append(y)

    KEPT = []
    with tf.Graph().as_default():
        x = tf.compat.v1.placeholder(tf.int32, [])
        assert autograph.to_graph(program)(x)[0] is KEPT[0]
