"""Profiles of this thread."""

import pstats

import pytest

import runtime as tf


def test_a_profile_is_written(tmp_path):
    tf.profiler.experimental.start(str(tmp_path))
    tf.reduce_sum(tf.ones([3])).numpy()
    tf.profiler.experimental.stop()
    (path,) = tmp_path.glob("plugins/profile/*/*.pstats")
    functions = {name for _, _, name in pstats.Stats(str(path)).stats}
    assert "reduce_sum" in functions


def test_a_profile_can_be_dropped(tmp_path):
    tf.profiler.experimental.start(str(tmp_path))
    tf.profiler.experimental.stop(save=False)
    assert not list(tmp_path.iterdir())


def test_one_profile_at_a_time():
    tf.profiler.experimental.start("none")
    with pytest.raises(tf.errors.AlreadyExistsError, match="call `stop` first"):
        tf.profiler.experimental.start("none")
    tf.profiler.experimental.stop(save=False)
    with pytest.raises(tf.errors.UnavailableError, match="call `start` first"):
        tf.profiler.experimental.stop()
