"""The parameters of `call`: `training` and masks are passed to those that take them."""

import runtime as tf
from runtime import keras
from runtime.keras.base.signature import as_shapes, map_shapes
from tests.runtime.keras.base.own_layers import Branching, Counts


class Steps(keras.Layer):
    def compute_mask(self, inputs, mask=None):
        return tf.not_equal(inputs, 0)

    def call(self, inputs):
        return tf.cast(inputs, tf.float32)[..., None]


def test_training_is_found_in_the_signature_and_passed_to_inner_layers():
    class Outer(keras.Layer):
        def __init__(self):
            super().__init__()
            self.inner = Branching()

        def call(self, inputs):
            return self.inner(inputs)

    x = tf.constant([-1.0])
    assert Outer()(x).numpy() == [-1.0]
    assert Outer()(x, training=True).numpy() == [0.0]


def test_training_is_found_where_it_is_passed():
    class Scaled(keras.layers.Layer):
        def __init__(self):
            super().__init__()
            self.inner = Branching()

        def call(self, inputs, factor, training=False):
            return self.inner(inputs) * factor

    x, factor = tf.constant([-1.0]), tf.constant(2.0)
    assert Scaled()(x, factor).numpy() == [-2.0]
    assert Scaled()(x, factor, True).numpy() == [0.0]
    assert Scaled()(x, factor, training=True).numpy() == [0.0]


def test_lists_of_numbers_stay_lists_except_as_inputs():
    class Picked(keras.layers.Layer):
        def call(self, inputs, axes=()):
            assert isinstance(axes, list) and isinstance(inputs, tf.Tensor)
            return tf.reduce_sum(inputs, axes)

    assert Picked()([[1.0, 2.0]], axes=[0, 1]).numpy() == 3.0


def test_masks_come_with_the_tensors():
    steps, counts = Steps(), Counts()
    assert counts(steps(tf.constant([[1, 2, 0]]))).numpy() == 2.0
    assert tf.function(lambda x: counts(steps(x)))(tf.constant([[1, 0, 0]])).numpy() == 1.0
    assert counts(tf.zeros([1, 3])).numpy() == 0.0


def test_shapes_in_any_structure_are_tuples():
    shapes = {"a": [2, None], "b": [tf.TensorShape([3]), (None, 4)]}
    assert as_shapes(shapes) == {"a": (2, None), "b": [(3,), (None, 4)]}
    assert map_shapes(len, shapes) == {"a": 2, "b": [1, 2]}
    assert as_shapes([]) == ()
