"""JAX: numbers of Python beside arrays of a narrow dtype, and lists that may be one of several."""

import pytest

import autograph

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402


def either(x, v):
    return 300 if x > 0 else v


def branch(x, v):
    y = v
    if x > 0:
        y = 300
    return y


def first_the_number(x, v):
    y = 300
    if x > 0:
        y = v
    return y


def loop(x, v):
    y = v
    while x > 0:
        y = 1000
        x = x - 1
    return y


def item(x, v):
    return [300, v][(x > 0).astype(int)]


@pytest.mark.parametrize("program", [either, branch, first_the_number, loop, item])
@pytest.mark.parametrize("x", [1.0, -1.0])
def test_an_integer_that_does_not_fit_is_refused(program, x):
    staged = jax.jit(autograph.to_graph(program))
    with pytest.raises(OverflowError, match="out of bounds for int8") as caught:
        staged(x, jnp.asarray(7, jnp.int8))
    assert any(entry.name == program.__name__ for entry in caught.traceback)


def small(x, v):
    return 100 if x > 0 else v


def half(x, v):
    return 2.5 if x > 0 else v


def test_a_number_that_fits_stays():
    seven = jnp.asarray(7, jnp.int8)
    staged = jax.jit(autograph.to_graph(small))
    assert (staged(1.0, seven), staged(-1.0, seven)) == (100, 7)
    assert staged(1.0, seven).dtype == jnp.int8
    staged = jax.jit(autograph.to_graph(half))
    assert (staged(1.0, seven), staged(-1.0, seven)) == (2.5, 7.0)


def item_of_an_item(i, j, v):
    table = [[1, 2], [3, 4]]
    table[i][j] = v
    return table


def test_a_list_that_may_have_changed_names_the_line_of_the_change():
    with pytest.raises(Exception, match="one of them was changed") as caught:
        jax.jit(autograph.to_graph(item_of_an_item))(0, 1, 5)
    assert f'File "{__file__}", line' in str(caught.value)
