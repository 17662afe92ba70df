"""Elements that a condition selects."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf

NUMBERS = np.random.default_rng(5)

Invalid = tf.errors.InvalidArgumentError


def test_positions_of_what_is_true():
    assert tf.where([0, 3]).numpy().tolist() == [[1]]
    with pytest.raises(Invalid, match="Unhandled input dimensions: 0"):
        tf.where(True)
    with pytest.raises(TypeError, match="list of allowed values"):
        tf.where(["a"])


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int32, np.uint8])
@pytest.mark.parametrize("other", ["zero", "scalar", "array"])
def test_selection_keeps_every_bit(dtype, other):
    x = NUMBERS.integers(0, 100, 5000).astype(dtype)
    if x.dtype.kind == "f":
        x[:4] = np.nan, np.inf, -np.inf, -0.0
    y = {"zero": dtype(0), "scalar": dtype(7), "array": x[::-1].copy()}[other]
    half = NUMBERS.random(5000) < 0.5
    for condition in (half, ~half):
        result = tf.where(condition, x, y).numpy()
        assert result.tobytes() == np.where(condition, x, y).tobytes()
