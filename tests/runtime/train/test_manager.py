"""Managers keep the newest checkpoints of a directory."""

import os

import pytest

import runtime as tf
from runtime.train.format import SUFFIX


def names(paths):
    return [os.path.basename(path) for path in paths]


def files(directory):
    return sorted(name.removesuffix(SUFFIX) for name in os.listdir(directory))


def manager(directory, keep=2, **options):
    return tf.train.CheckpointManager(
        tf.train.Checkpoint(v=tf.Variable(0)), directory, max_to_keep=keep, **options
    )


def test_the_oldest_checkpoints_are_removed(tmp_path):
    kept = manager(tmp_path)
    for _ in range(4):
        path = kept.save()
    assert names(kept.checkpoints) == ["ckpt-3", "ckpt-4"]
    assert kept.latest_checkpoint == path == tf.train.latest_checkpoint(tmp_path)
    assert files(tmp_path) == ["checkpoint", "ckpt-3", "ckpt-4"]


def test_all_checkpoints_are_kept_without_a_limit(tmp_path):
    kept = manager(tmp_path, keep=None)
    for _ in range(4):
        kept.save()
    assert len(kept.checkpoints) == 4


def test_a_new_manager_goes_on_with_the_checkpoints_that_are_there(tmp_path):
    manager(tmp_path).save()
    again = manager(tmp_path, keep=1)
    assert names(again.checkpoints) == ["ckpt-1"]
    again.save(checkpoint_number=7)
    assert files(tmp_path) == ["checkpoint", "ckpt-7"]


def test_checkpoints_have_the_name_and_number_that_are_asked_for(tmp_path):
    kept = manager(tmp_path, checkpoint_name="model")
    assert names([kept.save(checkpoint_number=tf.Variable(12)), kept.save()]) == [
        "model-12",
        "model-2",
    ]


def test_restore_or_initialize_restores_what_there_is(tmp_path):
    first = manager(tmp_path)
    assert first.restore_or_initialize() is None
    first.checkpoint.v.assign(5)
    path = first.save()
    second = manager(tmp_path)
    assert second.restore_or_initialize() == path
    assert second.checkpoint.v.numpy() == 5


REFUSED = [
    ({"keep": 0}, "positive integer or `None` for `max_to_keep`, got 0"),
]


@pytest.mark.parametrize("options, text", REFUSED)
def test_settings_without_meaning_are_refused(tmp_path, options, text):
    with pytest.raises(ValueError, match=text):
        manager(tmp_path, **options)


def test_a_model_in_place_of_a_checkpoint_is_refused(tmp_path):
    with pytest.raises(
        TypeError, match=r"is a `train.Checkpoint`, not .* Write CheckpointManager\("
    ):
        tf.train.CheckpointManager(tf.Module(), tmp_path, max_to_keep=1)


def test_the_number_of_a_checkpoint_is_an_integer(tmp_path):
    with pytest.raises(TypeError, match="`checkpoint_number` has to be an integer; got inf"):
        manager(tmp_path).save(checkpoint_number=float("inf"))
    assert manager(tmp_path).latest_checkpoint is None
