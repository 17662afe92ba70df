"""First values: shapes, dtypes, seeds."""

import numpy as np
import pytest

import runtime as tf


def test_fixed_values():
    assert tf.zeros_initializer()([2], tf.int32).numpy().tolist() == [0, 0]
    assert tf.ones_initializer()([2], tf.bool).numpy().tolist() == [True, True]
    assert tf.constant_initializer([1, 2, 3, 4])([2, 2]).shape == (2, 2)
    with pytest.raises(TypeError):
        tf.constant_initializer([1, 2])([3])
    with pytest.raises(ValueError, match="numeric or boolean"):
        tf.zeros_initializer()([2], tf.string)


@pytest.mark.parametrize("kind", [tf.random_normal_initializer, tf.random_uniform_initializer])
def test_a_seed_fixes_the_numbers(kind):
    make = kind(seed=3)
    np.testing.assert_array_equal(make([3]).numpy(), make([3]).numpy())
    np.testing.assert_array_equal(
        make([3]).numpy(), kind.from_config(make.get_config())([3]).numpy()
    )
    free = kind()
    assert not np.array_equal(free([3]).numpy(), free([3]).numpy())


def test_known_numbers():
    made = tf.random_uniform_initializer(1, 2, seed=3)([3], tf.float64)
    np.testing.assert_allclose(made.numpy(), [1.5673030241, 1.2582023122, 1.4624937700])
    with pytest.raises(ValueError, match="floating point"):
        tf.random_normal_initializer()([2], tf.int32)
