"""Random numbers that depend on their seed alone."""

import numpy as np
import pytest

import runtime as tf

DRAWS = {
    "uniform": lambda seed: tf.random.stateless_uniform([500], seed),
    "integers": lambda seed: tf.random.stateless_uniform([500], seed, 0, 1000, tf.int32),
    "normal": lambda seed: tf.random.stateless_normal([500], seed),
    "truncated": lambda seed: tf.random.stateless_truncated_normal([500], seed),
}


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
def test_equal_seeds_give_equal_samples_and_others_do_not(draw):
    first = draw([1, 2]).numpy()
    tf.random.set_seed(5)
    np.testing.assert_array_equal(first, draw(tf.constant([1, 2], tf.int64)))
    np.testing.assert_array_equal(first, tf.function(draw)(tf.constant([1, 2])))
    for seed in ([2, 1], [1, 3]):
        assert (draw(seed).numpy() != first).mean() > 0.9


@pytest.mark.parametrize("seed", [1, [1], [1, 2, 3]])
def test_a_seed_is_two_numbers(seed):
    for draw in (tf.random.stateless_uniform, tf.random.stateless_normal):
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"seed must have shape \[2\]"):
            draw([2], seed)
