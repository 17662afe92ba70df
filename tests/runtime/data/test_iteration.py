"""Loops over datasets, in Python and in functions."""

import numpy as np
import pytest

import runtime as tf

Dataset = tf.data.Dataset


PAIRS = Dataset.from_tensor_slices((np.arange(10, dtype=np.float32), np.arange(10)))


def test_reduction_goes_through_a_state():
    assert int(Dataset.range(5).reduce(np.int64(0), lambda total, x: total + x)) == 10
    total, count = PAIRS.reduce((0.0, 0), lambda state, pair: (state[0] + pair[0], state[1] + 1))
    assert (float(total), int(count)) == (45.0, 10)
    inside = tf.function(lambda: Dataset.range(5).reduce(np.int64(0), lambda total, x: total + x))
    assert int(inside()) == 10


def test_counts_and_their_refusals():
    assert len(Dataset.range(10).batch(3)) == 4
    assert int(Dataset.range(3).repeat().cardinality()) == tf.data.INFINITE_CARDINALITY
    with pytest.raises(TypeError, match="infinite"):
        len(Dataset.range(3).repeat())
    with pytest.raises(TypeError, match="unknown"):
        len(Dataset.range(3).filter(lambda x: x > 1))
    assert bool(Dataset.range(0))


def total(dataset):
    s = 0.0
    for x, y in dataset:
        if y == 3:
            continue
        if y > 7:
            break
        s += x
    return s


def found(dataset):
    for x, y in dataset:
        if x * x > 20.0:
            return y
    return tf.constant(-1, tf.int64)


def last(dataset):
    x = None
    for x, _ in dataset:  # noqa: B007
        pass
    return tf.constant(-1.0) if x is None else x


def counted(dataset):
    s = 0.0
    for i, (x, _) in enumerate(dataset.batch(4), 1):
        s += tf.reduce_sum(x) * tf.cast(i, tf.float32)
    return s


def side_by_side(dataset):
    s = 0.0
    for (x, _), (z, _) in zip(dataset, dataset.skip(3)):  # noqa: B905
        s += x * z
    return s


@pytest.mark.parametrize("size", [0, 1, 5, 10])
@pytest.mark.parametrize("program", [total, found, last, counted, side_by_side])
def test_a_loop_in_a_function_is_that_of_python(program, size):
    dataset = PAIRS.take(size)
    plain = program(dataset)
    assert float(tf.function(program)(dataset)) == float(plain)
    assert float(tf.function(lambda: program(dataset))()) == float(plain)


def test_an_iterator_goes_on_where_it_was():
    @tf.function
    def two(iterator):
        return next(iterator), next(iterator)

    iterator = iter(Dataset.range(5))
    assert int(next(iterator)) == 0
    assert [int(x) for x in two(iterator)] == [1, 2]
    assert [int(x) for x in iterator] == [3, 4]
    with pytest.raises(tf.errors.OutOfRangeError):
        two(iterator)


@pytest.mark.parametrize("run", [lambda f: f, tf.function])
def test_gradients_go_through_loops_over_datasets(run):
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            s = x
            for a, _ in PAIRS:
                s = s * 1.1 + x * a
        return tape.gradient(s, x)

    assert float(run(slope)(tf.constant(2.0))) == pytest.approx(61.96799, rel=1e-5)


def test_python_cannot_go_through_a_dataset_of_a_graph():
    @tf.function(autograph=False)
    def unconverted(dataset):
        return list(dataset)

    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match="converted"):
        unconverted(Dataset.range(3))
