"""Special functions against Python's own, and against identities between them."""

import math
from statistics import NormalDist

import numpy as np
import pytest

import runtime as tf
from runtime.ops.special import gamma_kernels as special_gamma

REALS = np.concatenate([np.linspace(-5.97, 5.98, 240), [1e-9, 26.5, -26.5]])
POSITIVE = np.concatenate([np.linspace(0.07, 30, 200), [1e-8, 1e5]])


@pytest.mark.parametrize("name", ["erf", "erfc", "lgamma"])
def test_agrees_with_the_function_of_python(name):
    wanted = [getattr(math, name)(x) for x in REALS]
    found = getattr(tf.math, name)(REALS).numpy()
    np.testing.assert_allclose(found, wanted, rtol=2e-13, atol=1e-15 if name == "lgamma" else 0)


def test_quantiles_agree_with_the_normal_distribution_of_python():
    shares = np.concatenate([np.linspace(0.001, 0.999, 99), [1e-12, 1e-200]])
    wanted = [NormalDist().inv_cdf(share) for share in shares]
    np.testing.assert_allclose(tf.math.ndtri(shares).numpy(), wanted, rtol=1e-14, atol=1e-15)


def test_inverse_undoes_the_error_function():
    x = np.linspace(-3, 3, 61)
    np.testing.assert_allclose(tf.math.erfinv(tf.math.erf(x)).numpy(), x, rtol=1e-11, atol=1e-15)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_inverse_undoes_the_complementary_error_function(dtype):
    share = np.array([1e-30, 0.25, 1.0, 1.75, 2.0 - 2**-20], dtype)
    rtol = 4 * 5 * np.finfo(dtype).eps  # the slope of `erfc` is steeper than that of its argument
    found = tf.math.erfc(tf.math.erfcinv(share)).numpy()
    np.testing.assert_allclose(found[1:], share[1:], rtol=rtol)
    np.testing.assert_allclose(found[0], share[0], rtol=200 * np.finfo(dtype).eps)
    assert tf.math.erfcinv(dtype([0.0, 2.0])).numpy().tolist() == [np.inf, -np.inf]
    assert np.isnan(tf.math.erfcinv(dtype([-0.1, 2.1])).numpy()).all()


def test_digamma_grows_by_the_inverse():
    grown = tf.math.digamma(POSITIVE + 1) - tf.math.digamma(POSITIVE)
    np.testing.assert_allclose(grown.numpy(), 1 / POSITIVE, rtol=1e-9)


def test_digamma_has_no_value_at_poles():
    assert np.isnan(tf.math.digamma([0.0, -1.0]).numpy()).all()


def test_derivative_of_an_exponential_sample_by_its_shape():
    """At shape 1 the distribution function is `1 - exp(-x)`; its derivative by the shape is known.

    It is `-E1(x) - exp(-x) * (log(x) + gamma)`, gamma being Euler's constant (differentiate DLMF
    8.2.4), and the density is `exp(-x)`.
    """
    x = np.array([0.5, 1.0, 2.0])
    exponential_integral = [0.5597735947761608, 0.21938393439552026, 0.04890051070806112]
    wanted = exponential_integral * np.exp(x) + np.log(x) + np.euler_gamma
    found = special_gamma.gamma_by_shape(np, np.ones(3), x)
    np.testing.assert_allclose(found, wanted, rtol=1e-13)


def test_derivative_of_a_sample_at_the_ends_of_its_range():
    x = np.array([0.0, np.inf, 1.0])
    with np.errstate(invalid="ignore"):
        found = special_gamma.gamma_by_shape(np, np.array([2.0, 2.0, -1.0]), x)
    assert found[:2].tolist() == [0.0, 0.0] and np.isnan(found[2])


def test_modified_bessel_functions_are_their_integrals():
    """The trapezoidal rule converges exponentially for `cos(n t) * exp(x cos(t))` over a period."""
    x = np.array([-3.0, 0.1, 1.9, 7.0, 24.9, 25.1, 40.0])
    t = 2 * np.pi * np.arange(200) / 200
    waves = np.exp(x[:, None] * np.cos(t))
    for order, name in enumerate(["bessel_i0", "bessel_i1"]):
        wanted = np.mean(np.cos(order * t) * waves, axis=1)
        np.testing.assert_allclose(getattr(tf.math, name)(x).numpy(), wanted, rtol=1e-12)
        scaled = getattr(tf.math, f"{name}e")(x).numpy()
        np.testing.assert_allclose(scaled, wanted * np.exp(-np.abs(x)), rtol=1e-12)


def test_zeta_of_two():
    np.testing.assert_allclose(tf.math.zeta(np.float64(2), np.float64(1)), np.pi**2 / 6, rtol=1e-15)
    assert float(tf.math.zeta(1.0, 1.0)) == np.inf


def test_logarithms_bear_zeros():
    assert tf.math.xlogy([0.0, 0.0], [0.0, -1.0]).numpy().tolist() == [0, 0]
    assert np.isnan(tf.math.xlogy(1.0, -1.0).numpy())


def test_poles_of_zeta_are_infinite_where_both_sides_agree():
    found = tf.math.zeta([2.0, 3.0, 2.0, 3.0], [-1.0, -1.0, -1.5, -1.5]).numpy()
    assert found[0] == np.inf and np.isnan(found[1])
    assert np.isfinite(found[2:]).all()


def test_limits_of_the_relatives_of_the_gamma_function():
    inf = np.inf
    assert float(tf.math.digamma(inf)) == inf
    assert tf.math.zeta(inf, [0.5, 1.0, 2.0, inf]).numpy().tolist() == [inf, 1, 0, 0]
    assert tf.math.polygamma([0.0, 1.0, inf], [inf, inf, 1.0]).numpy().tolist() == [inf, 0, inf]


def test_orders_of_the_polygamma_function_alternate_in_sign():
    found = tf.math.polygamma([1.0, 2.0, 3.0, 4.0], 1.5).numpy()
    assert (np.sign(found) == [1, -1, 1, -1]).all()


class Counting:
    """NumPy, with how often it was asked whether anything still changes."""

    def __init__(self):
        self.rounds = 0

    def any(self, values):
        self.rounds += 1
        return np.any(values)

    def __getattr__(self, name):
        return getattr(np, name)


def test_a_series_ends_when_it_has_settled():
    xp, x = Counting(), np.random.default_rng(1).uniform(0.1, 20.0, 10_000)
    special_gamma.gamma_by_shape(xp, x, x)
    assert xp.rounds < 300
