"""Slices at which a mask is true."""

import numpy as np
import pytest

import runtime as tf

CUBE = np.arange(24, dtype=np.int32).reshape(2, 3, 4)


def test_masks_along_any_axis():
    mask = np.array([True, False, True])
    np.testing.assert_array_equal(tf.boolean_mask(CUBE, mask, axis=1).numpy(), CUBE[:, mask])
    whole = CUBE > 10
    np.testing.assert_array_equal(tf.boolean_mask(CUBE, whole).numpy(), CUBE[whole])
    with pytest.raises(ValueError, match="mask cannot be scalar"):
        tf.boolean_mask(CUBE, True)
    with pytest.raises(ValueError, match="incompatible"):
        tf.boolean_mask(CUBE, [True, False, True])
