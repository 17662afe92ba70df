"""Update rules descend, and keep their state in variables."""

import numpy as np
import pytest

import runtime as tf
from runtime.keras import optimizers
from tests.runtime.keras.optimizers.variables import variable

NAMES = ("SGD", "Adam", "Nadam", "RMSprop")


@pytest.mark.parametrize("name", NAMES)
def test_every_optimizer_descends(name):
    w = variable(3.0, -2.0)
    optimizer = getattr(optimizers, name)(0.05)
    before = float(tf.reduce_sum(w * w))
    for _ in range(30):
        optimizer.minimize(lambda: tf.reduce_sum(w * w), [w])
    assert float(tf.reduce_sum(w * w)) < before
    assert optimizer.iterations.numpy() == 30


@pytest.mark.parametrize("name", NAMES)
def test_an_optimizer_is_created_anew_from_its_config(name):
    optimizer = getattr(optimizers, name)(0.05, clipnorm=0.5)
    again = optimizers.deserialize(optimizers.serialize(optimizer))
    assert type(again) is type(optimizer)
    assert again.get_config() == optimizer.get_config()


@pytest.mark.parametrize("options", [{}, {"clipnorm": 0.1}, {"clipvalue": 0.1}], ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_a_sparse_gradient_acts_as_the_dense_one_even_if_rows_meet(name, options):
    rows = tf.constant([[1.0, 2.0], [3.0, -4.0], [0.5, 0.5]])
    sparse = tf.IndexedSlices(rows, tf.constant([2, 2, 0]), tf.constant([3, 2]))
    results = []
    for gradient in (sparse, tf.convert_to_tensor(sparse)):
        w = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
        optimizer = getattr(optimizers, name)(0.1, **options)
        for _ in range(3):
            optimizer.apply_gradients([(gradient, w)])
        results.append(w.numpy())
    np.testing.assert_allclose(*results, rtol=1e-6)
