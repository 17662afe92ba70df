"""Datasets give the elements that TensorFlow's give, for the arguments that programs use."""

import numpy as np
import pytest

import runtime

tensorflow = pytest.importorskip("tensorflow")
described = pytest.importorskip("tests.runtime.oracle.test_data").described


def numbers(tf, count=10):
    return tf.data.Dataset.range(count)


def counting(stop):
    for i in range(stop):
        yield i, [i] * i


def generated(tf, **options):
    return tf.data.Dataset.from_generator(counting, args=[4], **options)


def subclass(tf):
    class Artificial(tf.data.Dataset):
        def _generator(count):
            for i in range(count):
                yield (i,)

        def __new__(cls, count=3):
            spec = tf.TensorSpec(shape=(1,), dtype=tf.int64)
            return tf.data.Dataset.from_generator(
                cls._generator, output_signature=spec, args=(count,)
            )

    return Artificial(4)


def in_a_function(tf, build):
    @tf.function
    def total(stop):
        result = tf.constant(0, tf.int64)
        for x in build(numbers(tf)):
            if x % 3 == 2:
                continue
            if x >= stop:
                break
            result += x
        return result

    return [total(tf.constant(5, tf.int64)), total(tf.constant(100, tf.int64))]


CASES = [
    lambda tf: tf.data.Dataset.from_tensor_slices([[1, 2], [3, 4]]),
    lambda tf: tf.data.Dataset.from_tensor_slices(([1, 2], {"a": [0.5, 1.5], "b": ["x", "y"]})),
    lambda tf: tf.data.Dataset.from_tensor_slices({"b": np.arange(3), "a": np.ones((3, 2))}),
    lambda tf: tf.data.Dataset.from_tensors(([1, 2], "a")),
    lambda tf: tf.data.Dataset.range(2, 9, 3),
    lambda tf: tf.data.Dataset.range(3, output_type=tf.float32),
    lambda tf: generated(tf, output_types=(tf.int64, tf.int64), output_shapes=((), (None,))),
    lambda tf: generated(
        tf, output_signature=(tf.TensorSpec([], tf.int32), tf.TensorSpec([None], tf.int32))
    ),
    subclass,
    lambda tf: numbers(tf).batch(4),
    lambda tf: numbers(tf).batch(4, drop_remainder=True),
    lambda tf: numbers(tf).batch(4).unbatch().take(3),
    lambda tf: numbers(tf).map(lambda x: (x, x * 2), num_parallel_calls=2),
    lambda tf: numbers(tf).map(lambda x: {"y": x, "x": [x, x]}),
    lambda tf: numbers(tf).map(lambda x: x + 1, num_parallel_calls=tf.data.AUTOTUNE),
    lambda tf: numbers(tf).take(3).repeat(2),
    lambda tf: numbers(tf).take(3).repeat().take(7),
    lambda tf: numbers(tf).prefetch(tf.data.experimental.AUTOTUNE).skip(8),
    lambda tf: numbers(tf, 4).interleave(
        lambda x: tf.data.Dataset.from_tensors(x).repeat(3), cycle_length=3, num_parallel_calls=1
    ),
    lambda tf: numbers(tf, 5).interleave(
        lambda x: tf.data.Dataset.range(x), cycle_length=2, block_length=2
    ),
    lambda tf: numbers(tf).cache().filter(lambda x: x % 3 == 0),
    lambda tf: numbers(tf, 2).concatenate(tf.data.Dataset.range(7, 9)),
    lambda tf: numbers(tf, 4).flat_map(lambda x: tf.data.Dataset.range(x)),
    lambda tf: numbers(tf, 7).window(3, shift=2, stride=2).flat_map(lambda w: w.batch(3)),
    lambda tf: (
        numbers(tf, 7).window(3, shift=1, drop_remainder=True).flat_map(lambda w: w.batch(3))
    ),
    lambda tf: (
        numbers(tf, 7)
        .window(5, shift=1)
        .flat_map(lambda w: w.batch(5, drop_remainder=True))
        .map(lambda row: (row[:-1], row[1:]))
    ),
    lambda tf: numbers(tf, 5).map(lambda x: tf.fill([x], x)).padded_batch(2, padded_shapes=(None,)),
    lambda tf: numbers(tf, 5).map(lambda x: tf.fill([x], x)).padded_batch(2, padded_shapes=[6]),
    lambda tf: [numbers(tf).reduce(np.int64(0), lambda total, x: total + x)],
    lambda tf: [
        numbers(tf).reduce(
            initial_state=(np.int64(0), 1.0), reduce_func=lambda s, x: (s[0] + x, s[1] * 2.0)
        )
    ],
    lambda tf: numbers(tf, 3).enumerate(),
    lambda tf: tf.data.Dataset.zip((numbers(tf), numbers(tf).map(lambda x: x * x))).take(3),
    lambda tf: tf.data.Dataset.zip({"a": numbers(tf, 2), "b": numbers(tf)}),
    lambda tf: numbers(tf).shuffle(1, seed=7),
    lambda tf: numbers(tf).shuffle(buffer_size=1).batch(3),
    lambda tf: tf.data.Dataset.sample_from_datasets([numbers(tf, 3), numbers(tf)], [1.0, 0.0]).take(
        3
    ),
    lambda tf: [numbers(tf).batch(3).cardinality(), numbers(tf).repeat().cardinality()],
    lambda tf: [[x.tolist() for x in numbers(tf, 4).batch(2).as_numpy_iterator()]],
    lambda tf: in_a_function(tf, lambda data: data),
    lambda tf: in_a_function(tf, lambda data: data.map(lambda x: x + 1).prefetch(2)),
    lambda tf: numbers(tf, 3).map(lambda x: tf.numpy_function(np.square, [x], tf.int64)),
    lambda tf: numbers(tf, 3).map(lambda x: tf.py_function(lambda v: v * 2, [x], tf.int64)),
    lambda tf: numbers(tf, 6).batch(2).map(lambda x: tf.reduce_sum(x)).batch(3),
]


def parts(made):
    if isinstance(made, list):
        return [made]
    return [made.element_spec, list(made), int(made.cardinality())]


@pytest.mark.parametrize("case", CASES)
def test_elements_are_those_of_tensorflow(case):
    ours, theirs = (described(parts(case(tf))) for tf in (runtime, tensorflow))
    assert ours == theirs


@pytest.mark.parametrize("seed", [None, 3])
def test_shuffled_elements_are_all_there(seed):
    for tf in (runtime, tensorflow):
        dataset = numbers(tf, 50).shuffle(buffer_size=20, seed=seed)
        assert sorted(int(x) for x in dataset) == list(range(50))
