"""Reductions of groups of rows."""

import numpy as np
import pytest

import runtime as tf


@pytest.mark.parametrize("shape", [[4], [4, 1], [4, 2, 1], [4, 1, 3]])
def test_means_of_groups_of_any_rank(shape):
    mean = tf.math.unsorted_segment_mean
    spec = tf.TensorSpec(None, tf.float32)
    data = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    function = tf.function(lambda x: mean(x, [0, 2, 2, 0], 4), input_signature=[spec])
    found = function(data)
    assert found.shape == (4, *shape[1:])
    np.testing.assert_allclose(found[0], (data[0] + data[3]) / 2.0, rtol=1e-6)
    assert not np.any(found[1])
    np.testing.assert_array_equal(found, mean(data, [0, 2, 2, 0], 4))
