"""Datasets made of other datasets."""

import numpy as np
import pytest

import runtime as tf
from tests.runtime.data.shown import values

Dataset = tf.data.Dataset


@pytest.mark.parametrize(
    ("make", "wanted"),
    [
        (lambda d: d.batch(4), [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]),
        (lambda d: d.batch(4, drop_remainder=True), [[0, 1, 2, 3], [4, 5, 6, 7]]),
        (lambda d: d.batch(4).unbatch().take(2), [0, 1]),
        (lambda d: d.take(3), [0, 1, 2]),
        (lambda d: d.take(-1).skip(8), [8, 9]),
        (lambda d: d.skip(-1), []),
        (lambda d: d.take(2).repeat(2), [0, 1, 0, 1]),
        (lambda d: d.take(2).repeat().take(5), [0, 1, 0, 1, 0]),
        (lambda d: d.take(0).repeat(), []),
        (lambda d: d.filter(lambda x: x % 4 == 0), [0, 4, 8]),
        (lambda d: d.map(lambda x: x * x).take(3), [0, 1, 4]),
        (lambda d: d.map(lambda x: x * x, num_parallel_calls=3).take(3), [0, 1, 4]),
        (lambda d: d.map(lambda x: x * x, num_parallel_calls=tf.data.AUTOTUNE).skip(8), [64, 81]),
        (lambda d: d.take(2).concatenate(d.skip(9)), [0, 1, 9]),
        (lambda d: d.enumerate(5).take(2), [(5, 0), (6, 1)]),
        (lambda d: d.prefetch(3), list(range(10))),
        (lambda d: d.take(3).flat_map(lambda n: Dataset.range(n)), [0, 0, 1]),
        (lambda d: Dataset.zip(d, d.skip(8)), [(0, 8), (1, 9)]),
        (lambda d: Dataset.zip({"a": d, "b": (d,)}).take(1), [{"a": 0, "b": (0,)}]),
        (lambda d: d.batch(5).map(lambda rows: tf.reduce_sum(rows)), [10, 35]),
    ],
)
def test_what_can_be_made_of_elements(make, wanted):
    made = make(Dataset.range(10))
    assert values(made) == wanted
    assert values(made) == wanted
    count = int(made.cardinality())
    assert count in (len(wanted), tf.data.UNKNOWN_CARDINALITY)


@pytest.mark.parametrize(
    ("cycle", "block", "wanted"),
    [
        (1, 1, [10, 30, 31, 32, 20, 21, 40, 41, 42, 43]),
        (2, 1, [10, 30, 31, 20, 32, 21, 40, 41, 42, 43]),
        (2, 2, [10, 30, 31, 20, 21, 32, 40, 41, 42, 43]),
        (9, 1, [10, 30, 20, 40, 31, 21, 41, 32, 42, 43]),
    ],
)
def test_interleaving_takes_turns(cycle, block, wanted):
    dataset = Dataset.from_tensor_slices(np.int64([1, 3, 2, 0, 4])).interleave(
        lambda n: Dataset.range(n).map(lambda i: n * 10 + i),
        cycle_length=cycle,
        block_length=block,
    )
    assert values(dataset) == wanted


def test_windows_are_datasets():
    windows = Dataset.range(7).window(3, shift=2, stride=2)
    assert [values(window) for window in windows] == [[0, 2, 4], [2, 4, 6], [4, 6], [6]]
    whole = Dataset.range(5).window(3, shift=1, drop_remainder=True)
    flat = whole.flat_map(lambda window: window.batch(3))
    assert values(flat) == [[0, 1, 2], [1, 2, 3], [2, 3, 4]]


@pytest.mark.parametrize("make", [lambda: Dataset.range(3), lambda: Dataset.from_tensors((1, [2]))])
def test_scalars_have_no_rows(make):
    with pytest.raises(ValueError, match="Cannot unbatch an input with scalar components"):
        make().unbatch()


@pytest.mark.parametrize(
    ("dataset", "count"),
    [
        (Dataset.from_tensors([1, 2, 3]), 3),
        (Dataset.range(7).batch(3, drop_remainder=True), 6),
        (Dataset.range(7).batch(3), tf.data.UNKNOWN_CARDINALITY),
        (Dataset.from_tensors([1]).repeat(), tf.data.INFINITE_CARDINALITY),
    ],
)
def test_rows_of_elements_of_one_shape_are_counted(dataset, count):
    assert int(dataset.unbatch().cardinality()) == count


def test_components_with_other_numbers_of_rows_have_no_rows_in_common():
    def uneven():
        yield [1, 2], [3, 4]
        yield [1, 2], [3, 4, 5]

    spec = tf.TensorSpec([None], tf.int32)
    rows = Dataset.from_generator(uneven, output_signature=(spec, spec)).unbatch()
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"shapes \(2,\), \(3,\)"):
        values(rows)
    assert values(rows.take(2)) == [(1, 3), (2, 4)]


@pytest.mark.parametrize("method", ["map", "filter", "flat_map", "interleave"])
def test_a_function_that_forgets_to_return_is_named(method):
    def parse(x):
        x + 1

    with pytest.raises(TypeError, match=rf"^{method}: parse returns None\. Return a tensor"):
        getattr(tf.data.Dataset.range(2), method)(parse)


@pytest.mark.parametrize("method", ["map", "filter", "flat_map", "interleave"])
def test_a_function_of_other_parameters_is_told_what_it_gets(method):
    pairs = Dataset.from_tensor_slices(([1, 2], [3.0, 4.0]))
    with pytest.raises(TypeError, match=rf"^{method} calls <lambda> with 2 arguments, .*float32"):
        getattr(pairs, method)(lambda pair: pair[0] > 1)
    named = Dataset.from_tensor_slices({"x": [1], "y": [2]})
    with pytest.raises(TypeError, match=r"1 argument, \{'x': .*: 'y'\. Give it 1 parameter"):
        getattr(named, method)(lambda x, y: x + y)


def test_a_type_error_inside_of_a_function_stays():
    with pytest.raises(TypeError, match="unsupported operand"):
        Dataset.range(2).map(lambda x: {} + 1)


@pytest.mark.parametrize("result", [lambda s, x: None, lambda s, x: (s, s), lambda s, x: {"s": s}])
def test_a_state_of_another_structure_is_refused(result):
    with pytest.raises(TypeError, match=r"^reduce: <lambda> returns .* for the state .*numpy=0>\."):
        tf.data.Dataset.range(40).reduce(0, result)
