"""Arrays of a checkpoint, without the program that saved it."""

import pytest

import runtime as tf

VALUE = "/.ATTRIBUTES/VARIABLE_VALUE"


def test_readers_give_arrays_by_key(tmp_path):
    checkpoint = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0]), s=tf.Variable("x"))
    path = checkpoint.save(tmp_path / "ckpt")
    reader = tf.train.load_checkpoint(tmp_path)
    assert reader.get_tensor(f"v{VALUE}").tolist() == [1.0, 2.0]
    assert reader.get_tensor(f"s{VALUE}") == b"x"
    assert reader.get_variable_to_shape_map()[f"v{VALUE}"] == [2]
    assert reader.get_variable_to_dtype_map()[f"s{VALUE}"] is tf.string
    assert reader.has_tensor(f"v{VALUE}") and not reader.has_tensor("v")
    assert dict(tf.train.list_variables(path)) == reader.get_variable_to_shape_map()
    with pytest.raises(tf.errors.NotFoundError, match="Key v not found in checkpoint"):
        reader.get_tensor("v")
