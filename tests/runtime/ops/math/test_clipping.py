"""Clipping of values and norms."""

import math

import pytest

import runtime as tf


def test_tensors_longer_than_a_norm_are_shortened():
    assert tf.clip_by_norm([3.0, 4.0], 1.0).numpy().tolist() == pytest.approx([0.6, 0.8])
    assert tf.clip_by_norm([0.3, 0.4], 1.0).numpy().tolist() == pytest.approx([0.3, 0.4])


def test_a_limit_of_a_larger_shape_is_refused():
    assert tf.clip_by_value([-1.0, 3.0], [0.0, 0.0], 2.0).numpy().tolist() == [0, 2]
    with pytest.raises(ValueError, match="incompatible"):
        tf.clip_by_value([-1.0, 3.0], [[0.0], [1.0]], 2.0)


def test_one_factor_scales_all_tensors_to_a_global_norm():
    (one, none, other), length = tf.clip_by_global_norm([[3.0], None, [4.0]], 1.0)
    assert length.numpy() == 5.0
    assert none is None
    assert (float(one[0]), float(other[0])) == pytest.approx((0.6, 0.8))
    (kept,), _ = tf.clip_by_global_norm([[3.0]], 4.0)
    assert kept.numpy().tolist() == [3.0]
    (lost,), _ = tf.clip_by_global_norm([[float("inf"), 1.0]], 1.0)
    assert all(map(math.isnan, lost.numpy().tolist()))
