import threading

import numpy as np
import pytest

import runtime as tf


def test_assignment():
    v = tf.Variable([1.0, 2.0], name="weights")
    v.assign([3.0, 4.0])
    v.assign_add([1.0, 1.0])
    v.assign_sub(tf.constant([2.0, 0.0]))
    np.testing.assert_array_equal(v.numpy(), [2, 5])
    assert v.name == "weights:0"
    assert (
        repr(tf.Variable(12.0)) == "<tf.Variable 'Variable:0' shape=() dtype=float32, numpy=12.0>"
    )


def test_the_text_of_a_variable_shows_the_digits_that_the_text_of_its_tensor_shows():
    for value, shown in (
        (tf.constant(0.1), "0.10000000149011612"),
        (tf.constant(0.1, tf.float64), "0.1"),
        (tf.constant("a"), "b'a'"),
        (tf.constant([0.1]), "array([0.1], dtype=float32)"),
    ):
        assert repr(value).endswith(f", numpy={shown}>")
        assert str(tf.Variable(value)).endswith(f", numpy={shown}>")


def test_a_variable_is_used_like_a_tensor():
    v = tf.Variable(3.0)
    assert float(v + 1.0) == 4.0
    assert float(2.0 * v) == 6.0
    assert float(tf.square(v)) == 9.0
    assert bool(v > 2.0)
    assert float(tf.stack([v, v])[1]) == 3.0


def test_read_values_do_not_change_later():
    v = tf.Variable(1.0)
    before = v.read_value()
    v.assign(2.0)
    assert float(before) == 1.0


@pytest.mark.parametrize("value", [[1.0], [[1.0, 2.0]]])
def test_shape_is_fixed(value):
    with pytest.raises(ValueError, match="Shape mismatch"):
        tf.Variable([1.0, 2.0]).assign(value)


def test_dtype_is_fixed():
    with pytest.raises(TypeError):
        tf.Variable(1).assign(1.5)


def test_needs_a_value():
    with pytest.raises(ValueError, match="initial value"):
        tf.Variable()


def test_argument_is_updated_in_place():
    a = tf.Variable(0)

    @tf.function
    def g(x):
        x.assign_add(1)
        return x

    assert [int(g(a)) for _ in range(3)] == [1, 2, 3]
    assert int(a) == 3


def test_value_cannot_be_frozen_into_a_graph_by_accident():
    v = tf.Variable(1.0)

    @tf.function
    def f():
        return v.numpy()

    with pytest.raises(NotImplementedError, match=r"numpy\(\) is only available when eager"):
        f()


def test_in_place_operators_are_refused():
    v = tf.Variable(1.0)
    with pytest.raises(RuntimeError, match=r"`variable \+= value` with `tf.Variable`s is not"):
        v += 1.0
    with pytest.raises(RuntimeError, match=r"assign\(variable \* value\)"):
        v *= 2.0


def test_references_are_hashable_and_variables_are_not():
    v = tf.Variable(1.0)
    with pytest.raises(TypeError, match=r"Variable is unhashable. Instead, use variable.ref\(\)"):
        hash(v)
    assert {v.ref(): 1}[v.ref()] == 1
    assert v.ref().deref() is v


def test_shapes_and_dtypes_that_do_not_fit():
    v = tf.Variable([1.0, 2.0], name="w")
    with pytest.raises(ValueError, match="Cannot assign value to variable 'w:0': Shape mismatch"):
        v.assign([1.0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="shapes must be equal"):
        v.assign_add(1.0)
    with pytest.raises(ValueError, match="requested dtype float32"):
        v.assign(tf.constant([1, 2]))
    with pytest.raises(ValueError, match="explicitly supplied `shape` argument"):
        tf.Variable([1.0], shape=[3])
    with pytest.raises(ValueError, match="initial_value"):
        tf.Variable()
    with pytest.raises(ValueError, match="Argument `constraint` must be None or a callable"):
        tf.Variable(1.0, constraint=3)
    grows = tf.Variable([1.0, 2.0], shape=[None])
    assert grows.assign([1.0, 2.0, 3.0]).shape == [None]


def test_an_assignment_without_result():
    v = tf.Variable(1.0)
    assert v.assign(2.0, read_value=False) is None
    assert float(v) == 2.0


def in_threads(work, count=4):
    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_threads_lose_no_change_of_each_other():
    v = tf.Variable(tf.zeros([8]))
    row = tf.IndexedSlices(tf.ones([1]), tf.constant([1]))

    @tf.function
    def staged():
        v.scatter_sub(tf.IndexedSlices(tf.ones([1]), tf.constant([3])))

    def work(number):
        for step in range(100):
            v.scatter_add(row)
            v.assign_add([1.0] + [0.0] * 7)
            v.scatter_nd_add([[2]], [1.0])
            v[4 + number].assign(step)
            staged()

    in_threads(work)
    assert v.numpy().tolist() == [400.0, 400.0, 400.0, -400.0, 99.0, 99.0, 99.0, 99.0]


def test_gradients_of_gathered_rows_stay_rows():
    table = tf.Variable(tf.ones([4, 2]))
    lookup = tf.function(lambda positions: tf.gather(table, positions))
    for call in (lambda p: tf.gather(table, p), lookup, tf.function(lambda p: lookup(p) * 2.0)):
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(call(tf.constant([1, 1, 3])) ** 2)
        gradient = tape.gradient(y, table)
        assert isinstance(gradient, tf.IndexedSlices)
        assert gradient.indices.numpy().tolist() == [1, 1, 3]
        assert gradient.dense_shape.numpy().tolist() == [4, 2]
        scale = float(gradient.values[0, 0])
        dense = tf.convert_to_tensor(gradient).numpy().tolist()
        assert dense == [[0.0, 0.0], [2 * scale] * 2, [0.0, 0.0], [scale] * 2]


def test_gradients_of_rows_are_differentiated_again():
    table = tf.Variable([1.0, 2.0, 3.0])
    lookup = tf.function(lambda positions: tf.gather(table, positions) ** 3)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = tf.reduce_sum(lookup(tf.constant([2, 2])))
        first = inner.gradient(y, table)
        z = tf.reduce_sum(first.values)
    assert tf.convert_to_tensor(outer.gradient(z, table)).numpy().tolist() == [0.0, 0.0, 36.0]


def test_a_function_that_asks_which_variable_it_gets_has_a_graph_for_each():
    numbers, traces = {}, []

    @tf.function
    def number(v):
        traces.append(v)
        return v * numbers.get(v.ref(), 0.0)

    a, b = tf.Variable(2.0), tf.Variable(3.0)
    numbers |= {a.ref(): 10.0, b.ref(): 100.0}
    outer = tf.function(lambda v: number(v) + 1.0)
    assert [f(v).numpy() for f in (number, outer) for v in (a, b)] == [20.0, 300.0, 21.0, 301.0]
    assert [number(v).numpy() for v in (b, a)] == [300.0, 20.0]


def test_a_function_that_does_not_ask_has_one_graph_for_all_variables():
    double = tf.function(lambda v: v * 2.0)
    assert [double(tf.Variable(x)).numpy() for x in (1.0, 2.0)] == [2.0, 4.0]
    assert double.experimental_get_tracing_count() == 1


def test_a_gradient_that_is_rows_on_one_way_and_whole_on_another_is_whole():
    table = tf.Variable([1.0, 2.0, 3.0])
    both = tf.function(lambda: tf.reduce_sum(tf.gather(table, [0])) + tf.reduce_sum(table))
    with tf.GradientTape() as tape:
        y = both()
    assert tape.gradient(y, table).numpy().tolist() == [2.0, 1.0, 1.0]


def test_gradients_that_are_rows_stay_rows_when_they_are_clipped_and_cast():
    rows = tf.IndexedSlices(tf.constant([[3.0], [4.0]]), tf.constant([1, 1]), tf.constant([3, 1]))
    clipped = {
        "value": tf.clip_by_value(rows, 0.0, 3.5),
        "norm": tf.clip_by_norm(rows, 1.0),
        "global": tf.clip_by_global_norm([rows, None], 1.0)[0][0],
        "cast": tf.cast(rows, tf.float64),
    }
    expected = {"value": [3.0, 3.5], "norm": [0.6, 0.8], "global": [0.6, 0.8], "cast": [3.0, 4.0]}
    for name, found in clipped.items():
        assert isinstance(found, tf.IndexedSlices)
        np.testing.assert_allclose(found.values.numpy().ravel(), expected[name], rtol=1e-6)
        assert found.indices.numpy().tolist() == [1, 1]
    assert clipped["cast"].dtype is tf.float64
    assert tf.linalg.global_norm([rows]).numpy() == 5.0
