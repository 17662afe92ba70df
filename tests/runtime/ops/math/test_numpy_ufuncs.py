"""Functions of NumPy or another package that no other op type computes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import runtime as tf
from runtime.engines.engine import ENGINES
from runtime.ops.math.numpy_ufuncs import accumulate_ufunc, apply_ufunc


@tf.function
def lengths(x, y):
    return apply_ufunc(x, y, ufunc=np.hypot, place=0, dtype=tf.float64)


@tf.function
def peaks(x):
    return accumulate_ufunc(x, ufunc=np.maximum, axis=0)


def test_the_shape_is_known_while_tracing() -> None:
    concrete = lengths.get_concrete_function(
        tf.TensorSpec([None, 3], tf.float64), tf.TensorSpec([3], tf.float64)
    )
    assert concrete.outputs[0].shape.as_list() == [None, 3]


@pytest.mark.parametrize("engine", ENGINES)
def test_engines_agree(engine: str) -> None:
    pytest.importorskip({"native": "llvmlite", "xla": "jax"}.get(engine, "numpy"))
    x, y = np.array([3.0, -5.0, 0.0]), np.array([[4.0], [12.0]])
    before = tf.config.get_engine()
    tf.config.set_engine(engine)
    try:
        assert np.array_equal(lengths(tf.constant(x), tf.constant(y)), np.hypot(x, y))
        assert np.array_equal(peaks(tf.constant(y - x)), np.maximum.accumulate(y - x))
    finally:
        tf.config.set_engine(before)


def test_there_is_no_gradient() -> None:
    x = tf.Variable([3.0], dtype=tf.float64)
    refused = pytest.raises(tf.errors.UnimplementedError, match="gradient of NumPyUfunc")
    with refused, tf.GradientTape() as tape:
        tape.gradient(lengths(x, x), x)


def test_a_saved_model_refuses_them(tmp_path: Path) -> None:
    module = tf.Module()
    module.peaks = tf.function(peaks, input_signature=[tf.TensorSpec([3], tf.float64)])
    with pytest.raises(tf.errors.UnimplementedError, match="function of a package"):
        tf.saved_model.save(module, tmp_path / "model")
