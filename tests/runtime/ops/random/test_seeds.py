"""Seeds: which of them repeat random numbers, and how long."""

import numpy as np
import pytest

import runtime as tf


def test_the_seed_of_the_program_repeats_what_follows():
    tf.random.set_seed(1)
    first = [tf.random.uniform([3]).numpy(), tf.random.normal([3]).numpy()]
    tf.random.set_seed(1)
    second = [tf.random.uniform([3]).numpy(), tf.random.normal([3]).numpy()]
    np.testing.assert_array_equal(first, second)


def test_two_operations_draw_different_numbers():
    tf.random.set_seed(1)
    assert not np.array_equal(tf.random.uniform([3]).numpy(), tf.random.uniform([3]).numpy())


def test_without_seeds_programs_differ():
    tf.random.set_seed(None)
    first = tf.random.uniform([3]).numpy()
    tf.random.set_seed(None)
    assert not np.array_equal(first, tf.random.uniform([3]).numpy())


def test_functions_keep_counts_of_their_own():
    tf.random.set_seed(5)

    def draw():
        return tf.random.uniform([2], seed=1), tf.random.uniform([2], seed=1)

    one, two = tf.function(draw), tf.function(draw)
    first, same = one()
    np.testing.assert_array_equal(first.numpy(), same.numpy())
    np.testing.assert_array_equal(first.numpy(), two()[0].numpy())
    assert not np.array_equal(first.numpy(), one()[0].numpy())
    tf.random.set_seed(5)
    np.testing.assert_array_equal(first.numpy(), one()[0].numpy())


def test_eager_calls_with_one_seed_share_a_count():
    tf.random.set_seed(5)
    np.testing.assert_array_equal(
        tf.random.uniform([10], maxval=100, dtype=tf.int32, seed=7).numpy()[:5],
        [70, 35, 59, 92, 19],
    )
    assert int(tf.random.uniform([1], maxval=100, dtype=tf.int32, seed=7)[0]) != 70


@pytest.mark.parametrize("seed", [1.0, True, np.int64(1), np.float32(1.0)])
def test_seeds_that_are_the_number_one_draw_the_same(seed):
    def drawn(seed):
        tf.random.set_seed(seed)
        in_graph = tf.function(lambda: tf.random.uniform([2]))
        return [*tf.random.uniform([2]).numpy(), *in_graph().numpy()]

    assert drawn(seed) == drawn(1)
    assert drawn(seed) != drawn(1.5)


def test_a_seed_that_is_no_number_is_refused():
    with pytest.raises(TypeError, match="the seed is 'a', of type str, and must be a number"):
        tf.random.set_seed("a")


@pytest.mark.parametrize("seed", [np.int64(7), np.uint64(7), tf.constant(7)])
def test_the_seed_of_an_operation_may_be_an_integer_of_numpy_or_a_tensor(seed):
    def drawn(seed):
        tf.random.set_seed(1)
        order = tf.data.Dataset.range(9).shuffle(9, seed=seed)
        return [*tf.random.uniform([2], seed=seed).numpy(), *map(int, order)]

    assert drawn(seed) == drawn(7)
    assert drawn(seed) != drawn(8)


@pytest.mark.parametrize("seed", [0.5, "a"])
def test_the_seed_of_an_operation_is_an_integer(seed):
    with pytest.raises(TypeError, match="`seed` has to be an integer; got"):
        tf.random.uniform([2], seed=seed)
