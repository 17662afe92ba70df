"""Recursion: of known depth it is traced, on a traced value refused at once."""

import time

import pytest

import autograph
from tests.autograph.adapters.jax_loops import doubled

jax = pytest.importorskip("jax")


@autograph.convert()
def factorial(n):
    if n <= 1:
        return 1
    return n * factorial(n - 1)


@autograph.convert()
def is_even(n):
    if n == 0:
        return True
    return is_odd(n - 1)


def is_odd(n):
    if n == 0:
        return False
    return is_even(n - 1)


@autograph.convert()
def horner(x, degree):
    if degree == 0:
        return x
    if x > 100:
        return x
    return horner(x * 2 + 1, degree - 1)


@pytest.mark.parametrize(("program", "name"), [(factorial, "factorial"), (is_even, "is_odd")])
def test_recursion_on_a_tensor_is_refused_at_once(program, name):
    jax.jit(doubled)(1.0)
    start = time.process_time()
    with pytest.raises(RecursionError, match=f"`{name}` calls itself") as caught:
        jax.jit(program)(5)
    assert time.process_time() - start < 3
    assert f'File "{__file__}", line ' in str(caught.value)


def test_recursion_of_known_depth_is_traced():
    assert jax.jit(horner, static_argnums=1)(1.0, 20) == 127
