"""Seeds of the program decide the numbers of initializers and of dropout without one."""

import numpy as np

import runtime as tf
from runtime import keras
from runtime.keras import initializers

SHAPE = (60, 80)


def test_a_seed_of_the_program_repeats_initializers_without_one():
    values = []
    for _ in range(2):
        tf.random.set_seed(5)
        values.append(initializers.HeNormal()(SHAPE).numpy())
    np.testing.assert_array_equal(*values)


def test_first_weights_after_a_random_seed_are_those_of_keras():
    keras.utils.set_random_seed(1)
    layer = keras.layers.LSTM(2)
    layer.build((None, 3, 2))
    found = layer.get_weights()[0][0, :4]
    np.testing.assert_allclose(found, [-0.37336, 0.5615, 0.67917, -0.24285], atol=1e-5)


def test_layers_with_dropout_are_repeated_by_a_random_seed():
    masks = []
    for seed in (4, 4, 5):
        keras.utils.set_random_seed(seed)
        layer = keras.layers.Dropout(0.5)
        masks.append([layer(tf.ones([4, 9]), training=True).numpy() for _ in range(2)])
    np.testing.assert_array_equal(masks[0], masks[1])
    assert not np.array_equal(masks[0], masks[2])
    assert not np.array_equal(*masks[0])
