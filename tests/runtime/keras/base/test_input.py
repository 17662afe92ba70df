"""Inputs of functional models: their shapes, dtypes and names."""

import pytest

from runtime import keras


def test_the_batch_is_unknown_unless_it_is_given():
    assert tuple(keras.Input((2, 3)).shape) == (None, 2, 3)
    assert tuple(keras.Input(batch_shape=(4, 3)).shape) == (4, 3)
    assert tuple(keras.Input(()).shape) == (None,)


def test_a_shape_is_a_tuple_and_has_to_be_given():
    with pytest.raises(ValueError, match=r"Cannot convert '3' to a shape. .*shape=\(3,\)"):
        keras.Input(3)
    with pytest.raises(ValueError, match="You must pass a `shape`"):
        keras.Input(name="x")
    with pytest.raises(ValueError, match=r"both `shape` and `batch_shape`.*shape=\(3,\), batch"):
        keras.Input((3,), batch_shape=(4, 3))


def test_an_input_comes_back_from_its_config():
    layer = keras.layers.InputLayer((3,), dtype="int32", name="words")
    config = layer.get_config()
    assert config == {"batch_shape": (None, 3), "dtype": "int32", "name": "words"}
    again = keras.layers.InputLayer.from_config(config).output
    assert (tuple(again.shape), again.dtype, again.name) == ((None, 3), layer.output.dtype, "words")
