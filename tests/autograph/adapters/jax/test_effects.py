"""Checks of compiled JAX programs that raise the program's own exception."""

import math

import pytest

import autograph

jax = pytest.importorskip("jax")
jnp = jax.numpy

from autograph.adapters.jax import raising  # noqa: E402


class Invalid(ValueError):
    """An exception of a user's own, which takes more than its text."""

    def __init__(self, text, value):
        super().__init__(text)
        self.value = value


@raising
@jax.jit
@autograph.convert()
def halved(x):
    while x > 1:
        if x > 50:
            raise Invalid("too large", x)
        x = x / 2
    return x


LINE = halved.__wrapped__.__wrapped__.__code__.co_firstlineno + 6


def raised_by(function, *args):
    with pytest.raises(Invalid, match="too large") as caught:
        function(*args)
    last = caught.traceback[-1]
    assert (str(last.path), last.lineno + 1, last.name) == (__file__, LINE, "halved")
    return caught.value


def test_raising_returns_the_result():
    assert halved(4.0) == 1


def test_the_exception_is_that_of_the_program_at_its_line():
    for value in (60.0, 70.0):
        assert raised_by(halved, value).value == value


def test_a_handler_for_the_class_catches_it():
    try:
        halved(100.0)
    except Invalid as error:
        assert error.__cause__ is None
        assert error.__context__ is None


def test_vmap_raises_the_exception_of_the_first_call():
    each = raising(jax.jit(jax.vmap(halved.__wrapped__)))
    assert raised_by(each, jnp.array([1.0, 80.0, 90.0])).value == 80


def test_jvp_raises_it():
    raised_by(raising(jax.jit(jax.jacfwd(halved.__wrapped__))), 60.0)


def test_another_error_of_the_run_stays():
    def failing(x):
        def call(value):
            raise KeyError("of a callback")

        jax.debug.callback(call, x)
        return x

    with pytest.raises(Invalid):
        halved(60.0)
    with pytest.raises(jax.errors.JaxRuntimeError, match="of a callback"):
        raising(jax.jit(failing))(1.0)


@raising
@jax.jit
@autograph.convert()
def root(x):
    return math.sqrt(x) if x < 4 else x


def test_functions_of_math_raise_what_python_raises():
    assert root(1.0) == 1
    assert root(9.0) == 9
    with pytest.raises(ValueError, match="math domain error"):
        root(-1.0)
