"""Elementary functions in machine code: error bounds, and special values."""

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")

from runtime.engines.native.functions import LARGEST_ANGLE
from tests.runtime.engines.native.loops import compiled_parts, graph_of

BOUNDS = {"exp": 1.0, "log": 1.0, "tanh": 2.0, "sigmoid": 3.0, "sin": 1.0, "cos": 1.0}
"""Largest errors in units of the last place of the exact result."""


def run(name, x):
    function = getattr(tf.math, name)

    graph, _ = graph_of(lambda x: (function(x), -function(x)), x)
    assert compiled_parts(graph)[0] == 1
    compiled = tf.function(lambda x: (function(x), -function(x)), jit_compile=True)
    return compiled(tf.constant(x))[0].numpy()


def exact(name, x):
    wide = x.astype(np.longdouble)
    with np.errstate(all="ignore"):
        if name == "sigmoid":
            return 1 / (1 + np.exp(-wide))
        return getattr(np, name)(wide)


def numbers(dtype, count=200_000):
    """Return numbers of all magnitudes, and usual ones."""
    rng = np.random.default_rng(0)
    bits = np.dtype(dtype.replace("float", "uint"))
    whole = rng.integers(0, 2 ** (8 * bits.itemsize), count, bits).view(dtype)
    near = [rng.normal(size=count) * scale for scale in (0.1, 1.0, 10.0, 100.0)]
    return np.concatenate([whole, *(part.astype(dtype) for part in near)])


def errors(found, want):
    """Return the errors in units of the last place of the exact results."""
    dtype = found.dtype
    with np.errstate(all="ignore"):
        rounded = np.abs(want.astype(dtype))
        unit = np.spacing(np.minimum(rounded, np.finfo(dtype).max)).astype(np.longdouble)
        return np.abs(found.astype(np.longdouble) - want) / unit


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", BOUNDS)
def test_errors_are_within_the_bound(name, dtype):
    x = numbers(dtype)
    if name in ("sin", "cos"):
        x = x[np.abs(x) < (LARGEST_ANGLE if dtype == "float32" else 1e5)]
    if name == "sigmoid":
        x = x[~(x < (-88.7 if dtype == "float32" else -709.7))]
    found, want = run(name, x), exact(name, x)
    with np.errstate(all="ignore"):
        rounded = want.astype(dtype)
    finite = np.isfinite(rounded) & np.isfinite(found)
    # A result between the largest number and infinity may be rounded to either.
    largest = np.finfo(dtype).max
    differs = ~finite & ~((found == rounded) | (np.isnan(found) & np.isnan(rounded)))
    assert (np.abs(want[differs]) >= largest * (1 - 4 * np.finfo(dtype).eps)).all()
    worst = errors(found[finite], want[finite])
    assert worst.max() <= BOUNDS[name], (x[finite][worst.argmax()], worst.max())


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", BOUNDS)
def test_special_values(name, dtype):
    tiny = np.finfo(dtype).smallest_subnormal
    x = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, tiny, -tiny, 1.0, -1.0], dtype)
    with np.errstate(all="ignore"):
        want = exact(name, x).astype(dtype)
    found = run(name, x)
    np.testing.assert_array_equal(np.isnan(found), np.isnan(want))
    np.testing.assert_allclose(found, want, rtol=4 * np.finfo(dtype).eps)
    usual = ~np.isnan(want)
    np.testing.assert_array_equal(np.signbit(found)[usual], np.signbit(want)[usual])


def test_exp_keeps_subnormal_results():
    for dtype in ("float32", "float64"):
        x = np.linspace(*((-103.9, -87.0) if dtype == "float32" else (-745.0, -708.0)), 1001)
        found = run("exp", x.astype(dtype))
        want = np.exp(x.astype(dtype).astype(np.longdouble))
        assert (errors(found, want) <= 1).all()
        assert (found > 0).all()


def test_large_angles_are_those_of_numpy():
    x = np.array([1e10, -3e38, 0.5], np.float32)
    np.testing.assert_array_equal(run("sin", x), np.sin(x))
