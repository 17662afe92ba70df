"""Elementary functions in machine code: error bounds, and special values."""

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")

from tests.runtime.engines.native.loops import compiled_parts, graph_of

LARGEST_ANGLES = {"float32": 4.2e8, "float64": 1.6e6}
BOUNDS = {
    "exp": 1.1, "log": 1.0, "tanh": 2.0, "sigmoid": 3.0, "sin": 1.0, "cos": 1.0,
    "asin": 1.0, "acos": 1.0, "atan": 1.0, "expm1": 1.0, "log1p": 1.0,
    "tan": 2.0, "sinh": 2.0, "cosh": 2.0, "asinh": 2.0, "atanh": 2.0, "acosh": 3.0,
}  # fmt: skip
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
        return getattr(np, f"arc{name[1:]}" if name.startswith("a") else name)(wide)


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
        x = x[np.abs(x) < LARGEST_ANGLES[dtype]]
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


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_large_angles_are_those_of_numpy(dtype):
    x = np.array([1e10, -3e38, 0.5], dtype)
    np.testing.assert_array_equal(run("sin", x), np.sin(x))


@pytest.fixture
def mp():
    with pytest.importorskip("mpmath").workprec(200):
        yield pytest.importorskip("mpmath").mp


def distance(found, want):
    """Return the error in units of the last place of the exact result."""
    unit = np.spacing(abs(found.dtype.type(float(want))))
    return abs(float((float(found) - want) / float(unit)))


def test_angles_near_multiples_of_a_right_one(mp):
    rng = np.random.default_rng(0)
    turns = rng.integers(1, 2**20, 1000)
    x = np.array([float(int(n) * mp.pi / 2) for n in turns])
    for name in ("sin", "cos"):
        found, function = run(name, x), getattr(mp, name)
        worst = max(distance(a, function(float(b))) for a, b in zip(found, x, strict=True))
        assert worst <= BOUNDS[name]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_errors_of_atan2_are_within_the_bound(dtype):
    y, x = (numbers(dtype), numbers(dtype)[::-1].copy())
    compiled = tf.function(
        lambda y, x: (tf.math.atan2(y, x), -tf.math.atan2(y, x)), jit_compile=True
    )
    found = compiled(tf.constant(y), tf.constant(x))[0].numpy()
    want = np.arctan2(y.astype(np.longdouble), x.astype(np.longdouble))
    known = ~np.isnan(want)
    np.testing.assert_array_equal(np.isnan(found), ~known)
    assert errors(found[known], want[known]).max() <= 2


# ---- powers ----


def powers(x, y):
    graph, _ = graph_of(lambda x, y: (x**y, -(x**y)), x, y)
    assert compiled_parts(graph)[0] == 1
    compiled = tf.function(lambda x, y: (x**y, -(x**y)), jit_compile=True)
    return compiled(tf.constant(x), tf.constant(y))[0].numpy()


def bases_and_exponents(dtype, count=3000):
    """Return powers of all magnitudes: of any base, of bases near 1, and of subnormal ones."""
    rng, limits = np.random.default_rng(0), np.finfo(dtype)
    largest = float(np.log(limits.max))
    any_base = np.exp(rng.uniform(-largest, largest, count))
    near_one = 1 + rng.uniform(-1, 1, count) * 2.0 ** -rng.integers(1, limits.nmant - 2, count)
    subnormal = limits.smallest_normal * rng.uniform(0, 1, count // 10)
    x = np.concatenate([any_base, rng.uniform(0.5, 2, count), near_one, subnormal]).astype(dtype)
    logs = np.log(x.astype(np.float64))
    y = rng.uniform(-largest, largest, len(x)) / np.where(logs == 0, 1, logs)
    return x, y.astype(dtype)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_errors_of_powers_are_within_the_bound(mp, dtype):
    x, y = bases_and_exponents(dtype)
    limits = np.finfo(dtype)
    for found, base, exponent in zip(powers(x, y), x, y, strict=True):
        want = mp.mpf(float(base)) ** float(exponent)
        if want > float(limits.max):
            assert found >= limits.max
        else:
            assert distance(found, want) <= (1.0 if dtype is np.float32 else 2.0), (base, exponent)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_powers_of_special_numbers_are_those_of_numpy(dtype):
    limits = np.finfo(dtype)
    whole = 2.0 ** (limits.nmant + 1)
    numbers = [0, 0.5, 1, 2, 3, 0.1, limits.max, limits.smallest_subnormal, whole - 1, whole + 2]
    both = np.array([*numbers, *(-n for n in numbers), -0.0, np.inf, -np.inf, np.nan], dtype)
    x, y = (each.ravel() for each in np.meshgrid(both, both))
    with np.errstate(all="ignore"):
        want = np.power(x, y)
    found = powers(x, y)
    known = ~np.isnan(want)
    np.testing.assert_array_equal(np.isnan(found), ~known)
    np.testing.assert_array_equal(np.signbit(found[known]), np.signbit(want[known]))
    np.testing.assert_array_equal(np.isfinite(found), np.isfinite(want))
    finite = np.isfinite(want)
    np.testing.assert_array_max_ulp(found[finite], want[finite], 2)


def test_powers_of_numbers_are_those_of_the_plan():
    compiled = tf.function(lambda x, y: x**y, jit_compile=True)
    for x, y in [(1.7, 2.3), (-2.0, 3.0), (-2.0, 0.5), (1e-310, 0.25)]:
        got = compiled(tf.constant(x, tf.float64), tf.constant(y, tf.float64)).numpy()
        np.testing.assert_array_equal(got, (tf.constant(x, tf.float64) ** y).numpy())
