"""Special functions against Python's own, and against identities between them."""

import math

import numpy as np
import pytest

import runtime as tf
from runtime.ops.base.define import call
from runtime.ops.special.gamma_kernels import zeta

REALS = np.concatenate([np.linspace(-5.97, 5.98, 240), [1e-9, 26.5, -26.5]])
POSITIVE = np.concatenate([np.linspace(0.07, 30, 200), [1e-8, 1e5]])


@pytest.mark.parametrize("name", ["erf", "erfc", "lgamma"])
def test_agrees_with_the_function_of_python(name):
    wanted = [getattr(math, name)(x) for x in REALS]
    found = getattr(tf.math, name)(REALS).numpy()
    np.testing.assert_allclose(found, wanted, rtol=2e-13, atol=1e-15 if name == "lgamma" else 0)


def test_inverse_undoes_the_error_function():
    x = np.linspace(-3, 3, 61)
    np.testing.assert_allclose(tf.math.erfinv(tf.math.erf(x)).numpy(), x, rtol=1e-11, atol=1e-15)


def test_digamma_grows_by_the_inverse():
    grown = tf.math.digamma(POSITIVE + 1) - tf.math.digamma(POSITIVE)
    np.testing.assert_allclose(grown.numpy(), 1 / POSITIVE, rtol=1e-9)


def test_digamma_has_no_value_at_poles():
    assert np.isnan(tf.math.digamma([0.0, -1.0]).numpy()).all()


def test_zeta_of_two():
    np.testing.assert_allclose(zeta(np, np.float64(2), np.float64(1)), np.pi**2 / 6, rtol=1e-15)
    assert float(zeta(np, np.float64(1), np.float64(1))) == np.inf


def test_logarithms_bear_zeros():
    assert tf.math.xlogy([0.0, 0.0], [0.0, -1.0]).numpy().tolist() == [0, 0]
    assert np.isnan(tf.math.xlogy(1.0, -1.0).numpy())


def test_poles_of_zeta_are_infinite_where_both_sides_agree():
    found = zeta(np, np.array([2.0, 3.0, 2.0, 3.0]), np.array([-1.0, -1.0, -1.5, -1.5]))
    assert found[0] == np.inf and np.isnan(found[1])
    assert np.isfinite(found[2:]).all()


def test_limits_of_the_relatives_of_the_gamma_function():
    inf = np.inf
    assert float(tf.math.digamma(inf)) == inf
    with np.errstate(over="ignore"):
        found = zeta(np, np.float64(inf), np.array([0.5, 1.0, 2.0, inf]))
    assert found.tolist() == [inf, 1, 0, 0]
    assert call("Polygamma", [0.0, 1.0, inf], [inf, inf, 1.0]).numpy().tolist() == [inf, 0, inf]


def test_orders_of_the_polygamma_function_alternate_in_sign():
    found = call("Polygamma", [1.0, 2.0, 3.0, 4.0], 1.5).numpy()
    assert (np.sign(found) == [1, -1, 1, -1]).all()
