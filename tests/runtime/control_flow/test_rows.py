"""Functions of rows: maps, folds and scans, at once and in a graph."""

import numpy as np
import pytest

import runtime as tf

E = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], np.float32)
FOUR = np.array([1, 2, 3, 4], np.int32)


def both(call):
    """The results at once and in a graph, as nested lists; they have to agree."""

    def lists(result):
        return tf.nest.map_structure(lambda tensor: tensor.numpy().tolist(), result)

    at_once = lists(call())
    assert lists(tf.function(call, autograph=False)()) == at_once
    return at_once


def refused(call, kind, words):
    for run in (call, tf.function(call, autograph=False)):
        with pytest.raises(kind, match=words):
            run()


def test_map():
    assert both(lambda: tf.map_fn(lambda r: r * 2.0, E)) == (E * 2).tolist()
    total = both(lambda: tf.map_fn(lambda t: t[0] + t[1], (E, E), fn_output_signature=tf.float32))
    assert total == (E + E).tolist()
    pair = both(
        lambda: tf.map_fn(
            lambda r: {"row": r, "sum": tf.reduce_sum(r)},
            E,
            fn_output_signature={"row": tf.TensorSpec([2], tf.float32), "sum": tf.float32},
        )
    )
    assert pair == {"row": E.tolist(), "sum": [3.0, 7.0, 11.0]}
    assert both(lambda: tf.map_fn(lambda r: tf.cast(r, tf.int32), E, dtype=tf.int32)) == E.tolist()
    assert both(lambda: tf.map_fn(lambda r: r, tf.zeros([0, 3]))) == []


def test_map_keeps_what_is_known_of_shapes():
    @tf.function
    def f(x):
        y = tf.map_fn(lambda r: r * 2.0, x)
        assert y.shape == [3, 2]
        return y

    f(E)
    dynamic = tf.function(
        lambda x: tf.map_fn(lambda r: r + 1.0, x),
        input_signature=[tf.TensorSpec([None, 2], tf.float32)],
    )
    assert dynamic(E).shape == [3, 2]
    assert dynamic(E[:1]).shape == [1, 2]


def test_map_that_is_refused():
    refused(lambda: tf.map_fn(lambda t: t[0], (E, E)), ValueError, "same nested structure")
    refused(lambda: tf.map_fn(lambda r: (r, r), E), ValueError, "same nested structure")
    refused(lambda: tf.map_fn(lambda r: r, tf.constant(1.0)), ValueError, "not scalars")
    refused(lambda: tf.map_fn(lambda r: r, ()), ValueError, "does not contain any Tensors")
    refused(lambda: tf.map_fn(3, E), TypeError, "fn must be callable")
    lengths = (FOUR, FOUR[:3])
    refused(lambda: tf.map_fn(lambda t: t[0], lengths), ValueError, "4 and 3 are not compatible")
    refused(
        lambda: tf.map_fn(lambda r: tf.cast(r, tf.int32), E),
        tf.errors.InvalidArgumentError,
        "TensorArray dtype is float32 but Op is trying to write dtype int32",
    )


def test_lengths_that_differ_only_when_the_graph_runs():
    vector = tf.TensorSpec([None], tf.float32)
    f = tf.function(
        lambda x, y: tf.map_fn(lambda t: t[0] * t[1], (x, y), fn_output_signature=tf.float32),
        input_signature=[vector, vector],
    )
    assert f([1.0, 2.0], [3.0, 4.0]).numpy().tolist() == [3.0, 8.0]
    with pytest.raises(tf.errors.InvalidArgumentError, match="differ in their first dimension"):
        f([1.0, 2.0], [3.0, 4.0, 5.0])


def test_vectorized_map():
    assert both(lambda: tf.vectorized_map(lambda r: tf.cast(r, tf.int32), E)) == E.tolist()
    pair = both(lambda: tf.vectorized_map(lambda t: (t[0] + t[1], tf.reduce_sum(t[0])), (E, E[:1])))
    assert pair == ((E + E[:1]).tolist(), [3.0, 7.0, 11.0])
    refused(lambda: tf.vectorized_map(lambda t: t[0], (E, E[:2])), ValueError, "not compatible")


@pytest.mark.parametrize(
    ("options", "result"),
    [
        ({}, [1, 3, 6, 10]),
        ({"reverse": True}, [10, 9, 7, 4]),
        ({"initializer": 10}, [11, 13, 16, 20]),
        ({"initializer": 10, "reverse": True}, [20, 19, 17, 14]),
    ],
)
def test_scan(options, result):
    assert both(lambda: tf.scan(lambda a, x: a + x, FOUR, **options)) == result


def test_scan_of_structures():
    fibonacci = both(
        lambda: tf.scan(
            lambda a, _: (a[1], a[0] + a[1]), FOUR, initializer=(tf.constant(0), tf.constant(1))
        )
    )
    assert fibonacci == ([1, 1, 2, 3], [1, 2, 3, 5])
    refused(lambda: tf.scan(lambda a, x: (a, a), FOUR), ValueError, "same nested structure")


def test_without_elements_and_start():
    refused(
        lambda: tf.scan(lambda a, x: a, tf.zeros([0])),
        tf.errors.InvalidArgumentError,
        "needs at least one element",
    )
    refused(lambda: tf.scan(3, FOUR), TypeError, "not callable")
    assert both(lambda: tf.scan(lambda a, x: a + x, tf.zeros([0]), initializer=5.0)) == []


def test_loops_over_rows_are_converted():
    @tf.function
    def positive(x):
        def clipped(r):
            if r > 0.0:
                return r
            return 0.0

        return tf.map_fn(clipped, x)

    assert positive(tf.constant([-1.0, 2.0])).numpy().tolist() == [0.0, 2.0]
