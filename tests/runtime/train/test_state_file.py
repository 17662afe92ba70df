"""The list of the checkpoints of a directory."""

import json
import os

import pytest

import runtime as tf
from runtime.train.format import SUFFIX


def manager(directory, keep=2, **options):
    return tf.train.CheckpointManager(
        tf.train.Checkpoint(v=tf.Variable(0)), directory, max_to_keep=keep, **options
    )


STATES = {
    "TensorFlow's": 'model_checkpoint_path: "ckpt-5"\n',
    "truncated": '{"format": "autograph-numpy checkp',
    "of another version": json.dumps({"format": "autograph-numpy checkpoints", "version": 9}),
    "a list": "[]",
    "deep": "[" * 100_000,
    "leading out": json.dumps(
        {
            "format": "autograph-numpy checkpoints",
            "version": 1,
            "latest": "../other/ckpt-1",
            "checkpoints": [],
        }
    ),
}


@pytest.mark.parametrize("content", STATES.values(), ids=STATES)
def test_a_foreign_list_of_checkpoints_is_refused(tmp_path, content):
    (tmp_path / "checkpoint").write_text(content)
    for read in (tf.train.latest_checkpoint, manager):
        with pytest.raises(tf.errors.DataLossError, match="is damaged, or another program wrote"):
            read(tmp_path)


def test_a_listed_checkpoint_that_is_gone_is_no_newest_one(tmp_path, caplog):
    path = manager(tmp_path).save()
    os.remove(path + SUFFIX)
    assert tf.train.latest_checkpoint(tmp_path) is None
    assert "Couldn't match files for checkpoint" in caplog.text


@pytest.mark.parametrize("directory", ["empty", "missing"])
def test_a_directory_without_checkpoints_has_no_newest_one(tmp_path, directory):
    (tmp_path / "empty").mkdir()
    assert tf.train.latest_checkpoint(tmp_path / directory) is None
    with pytest.raises((ValueError, tf.errors.NotFoundError), match=r"find"):
        tf.train.load_checkpoint(tmp_path / directory)
