"""The file of a checkpoint: its keys, and files that are no checkpoint."""

import pytest

import runtime as tf
from tests.runtime.train.networks import Net, keys


def test_a_checkpoint_of_tensorflow_is_refused_by_name(tmp_path):
    (tmp_path / "model-1.index").write_bytes(b"\x00")
    with pytest.raises(tf.errors.DataLossError, match="is a checkpoint of TensorFlow"):
        tf.train.load_checkpoint(tmp_path / "model-1")


def test_a_directory_is_refused_with_what_to_call(tmp_path):
    with pytest.raises(tf.errors.DataLossError, match=r"Is a directory.*latest_checkpoint\("):
        tf.train.Checkpoint().restore(tmp_path)


def test_a_missing_checkpoint_is_refused_with_the_suffix_it_may_lack(tmp_path):
    with pytest.raises(tf.errors.NotFoundError, match="missing the checkpoint suffix"):
        tf.train.Checkpoint().restore(tmp_path / "ckpt")


def test_keys_are_the_shortest_public_paths(tmp_path):
    path = tf.train.Checkpoint(net=Net()).write(tmp_path / "ckpt")
    assert keys(path) == [
        "net/layers/0/bias",
        "net/layers/0/kernel",
        "net/layers/1/bias",
        "net/layers/1/kernel",
        "net/table/scale",
    ]


def test_names_with_separators_are_escaped(tmp_path):
    path = tf.train.Checkpoint(d={"a/b": tf.Variable(1), "c.d": tf.Variable(2)}).write(
        tmp_path / "c"
    )
    assert keys(path) == ["d/a.Sb", "d/c..d"]


def test_a_key_that_is_no_string_is_refused_if_it_leads_to_state(tmp_path):
    with pytest.raises(ValueError, match=r"\(root\)\.d: .*non-string key, 1"):
        tf.train.Checkpoint(d={1: tf.Variable(1)}).write(tmp_path / "c")
    tf.train.Checkpoint(d={1: [2]}, v=tf.Variable(1)).write(tmp_path / "c")
