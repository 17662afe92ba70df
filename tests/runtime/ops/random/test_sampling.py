"""Random numbers: which seeds repeat them, and that they have the distribution they claim."""

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


def test_a_truncated_normal_number_is_never_far_out():
    drawn = tf.random.stateless_truncated_normal([20000], [1, 2]).numpy()
    assert np.abs(drawn).max() < 2
    assert np.abs(tf.random.stateless_normal([20000], [1, 2]).numpy()).max() > 3


def test_categorical_follows_the_logits():
    logits = np.log([[0.2, 0.8]])
    drawn = tf.random.categorical(logits, 20000, seed=2).numpy()
    assert abs(drawn.mean() - 0.8) < 0.02
    impossible = tf.random.categorical([[-np.inf, 0.0]], 100, seed=2).numpy()
    assert (impossible == 1).all()


def test_shuffle_moves_rows_and_loses_none():
    rows = np.arange(40).reshape(20, 2)
    shuffled = tf.random.shuffle(rows)
    np.testing.assert_array_equal(np.sort(shuffled.numpy(), axis=0), rows)


def test_arguments_that_are_refused():
    with pytest.raises(ValueError, match="Must specify maxval for integer dtype"):
        tf.random.uniform([2], dtype=tf.int32)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Need minval < maxval, got 5 >= 5"):
        tf.random.uniform([2], 5, 5, tf.int32)
    with pytest.raises(ValueError, match="invalid value"):
        tf.random.uniform([2], dtype=tf.uint8, maxval=3)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"seed must have shape \[2\]"):
        tf.random.stateless_uniform([2], [1, 2, 3])
    with pytest.raises(ValueError, match="Must specify maxval for integer dtype"):
        tf.random.stateless_uniform([2], [1, 2], dtype=tf.int32)
    with pytest.raises(tf.errors.InvalidArgumentError, match="logits should be a matrix"):
        tf.random.categorical([1.0, 2.0], 3)


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
