"""The very numbers: those that other programs draw from the same seeds."""

import numpy as np
import pytest

import runtime as tf
from runtime.ops.random.philox import Stream

R = tf.random


def test_the_published_vectors_of_the_generator():
    zeros = Stream(0, 0).words(np.arange(1))[0]
    ones = Stream(2**64 - 1, 2**128 - 1).words(np.arange(1))[0]
    assert [hex(word) for word in zeros] == ["0x6627e8d5", "0xe169c58d", "0xbc57ac4c", "0x9b00dbd8"]
    assert [hex(word) for word in ones] == ["0x408f276d", "0x41c83b0e", "0xa20bc7c6", "0x6d5451fd"]


@pytest.mark.parametrize("key", [0, 3, 2**63 + 12345, 2**64 - 1])
@pytest.mark.parametrize("counter", [0, 2**64 - 3, 2**128 - 3, 2**96 + 2**32 - 2])
def test_few_blocks_are_the_first_of_many(key, counter):
    stream = Stream(key, counter)
    many = stream.words(np.arange(100))
    for count in (0, 1, 8, 9):
        few = stream.words(np.arange(count))
        assert few.dtype == np.uint32
        np.testing.assert_array_equal(few, many[:count])
    np.testing.assert_array_equal(stream.words(np.array([[5], [7]])), many[[[5], [7]]])
    np.testing.assert_array_equal(stream.words(np.array(6)), many[6])


def test_counting_carries_over():
    stream = Stream(3, 2**64 - 1)
    np.testing.assert_array_equal(
        stream.words(np.array([1])), Stream(3, 2**64).words(np.array([0]))
    )
    np.testing.assert_array_equal(stream.skipped(5).first(4), stream.words(np.array([5]))[0])


@pytest.mark.parametrize(
    ("draw", "expected"),
    [
        (lambda: R.uniform([2], seed=7), [0.44746375, 0.620757]),
        (lambda: R.uniform([2], seed=7, dtype=tf.float64), [0.57971030, 0.07255542]),
        (lambda: R.normal([2], seed=7), [-0.8725268, -0.920335]),
        (lambda: R.normal([2], seed=7, dtype=tf.float64), [0.45973204, 0.93760334]),
        (lambda: R.uniform([3], 0, 100, tf.int64, seed=7), [30, 91, 95]),
        (lambda: R.truncated_normal([6], seed=7)[4:], [-1.2513312, -1.2896463]),
        (lambda: R.shuffle(tf.range(10), seed=7), [0, 2, 9, 4, 5, 6, 3, 7, 8, 1]),
        (lambda: R.categorical([[0.0, 1.0, 2.0]], 6, seed=7), [[2, 0, 2, 1, 1, 2]]),
        (lambda: R.stateless_uniform([2], [1, 2]), [0.8440604, 0.1920453]),
        (lambda: R.stateless_normal([2], [1, 2]), [0.5441101, 0.2073803]),
        (lambda: R.stateless_uniform([3], [1, 2], 0, 100, tf.int32), [40, 49, 94]),
    ],
)
def test_known_numbers(draw, expected):
    tf.random.set_seed(5)
    np.testing.assert_allclose(draw().numpy(), expected, rtol=1e-5)
