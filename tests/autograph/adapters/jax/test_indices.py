"""Items at traced indices under JAX: of Python's containers as in Python, of arrays as in NumPy."""

import numpy as np
import pytest

import autograph
from autograph import errors
from tests.autograph.item_programs import CASES, REFUSED, assigned_in_dict, outcome

jax = pytest.importorskip("jax")
jnp = jax.numpy


def run(program, arguments):
    """The number that a compiled program gives, or its error as text."""
    try:
        return jax.block_until_ready(program(*arguments)).item()
    except jax.errors.JaxRuntimeError as error:
        return str(error)


def agree(actual, expected):
    if isinstance(expected, tuple):
        return all(part in str(actual) for part in expected)
    return actual == expected


@pytest.mark.parametrize(("function", "cases"), CASES)
def test_items_of_containers(function, cases):
    program = jax.jit(autograph.to_graph(function))
    for arguments in cases:
        expected = outcome(function, arguments)
        assert agree(run(program, arguments), expected), arguments


@pytest.mark.parametrize(("function", "arguments", "message"), REFUSED)
def test_items_that_cannot_be_chosen_among(function, arguments, message):
    with pytest.raises(TypeError, match=message) as caught:
        jax.jit(autograph.to_graph(function))(*arguments)
    assert "item_programs.py" in str(caught.value)


def test_a_key_that_only_the_program_knows():
    assert "NotImplementedError" in run(jax.jit(autograph.to_graph(assigned_in_dict)), (3, 4))


def row_of_lists_assigned(i):
    t = [[1, 2], [3, 4]]
    t[i][0] = 9
    return t[0][0]


def list_assigned(i):
    t = [[1, 2], [3, 4]]
    t[i] = [5, 6]
    return t[0][0]


@pytest.mark.parametrize("function", [row_of_lists_assigned, list_assigned])
def test_lists_at_a_traced_index_are_not_changed(function):
    with pytest.raises((TypeError, errors.AutographError, RuntimeError)):
        jax.jit(autograph.to_graph(function))(1)


def chosen(x, i):
    return [x, x * x, x * x * x][i]


def changed(x, i):
    t = [x, x, x]
    t[i] = x * x
    return t[0] + 2 * t[1]


def test_gradients_of_items():
    graph = jax.jit(jax.grad(autograph.to_graph(chosen)))
    assert [graph(3.0, i).item() for i in (0, 1, 2)] == [1.0, 6.0, 27.0]
    graph = jax.jit(jax.grad(autograph.to_graph(changed)))
    assert [graph(3.0, i).item() for i in (0, 1, 2)] == [8.0, 13.0, 3.0]


def test_items_under_vmap():
    graph = autograph.to_graph(lambda i: [10, 20, 30][i])
    np.testing.assert_array_equal(jax.vmap(graph)(jnp.arange(3)), [10, 20, 30])
    assert "list index out of range" in run(jax.jit(jax.vmap(graph)), (jnp.arange(4),))


def test_array_of_numpy():
    table = np.array([1.0, 2.0, 3.0])
    program = jax.jit(autograph.to_graph(lambda i: table[i]))
    assert [run(program, (i,)) for i in (0, 2, -1)] == [1.0, 3.0, 3.0]
    assert "IndexError: index 3 is out of bounds" in run(program, (3,))


# ---- arrays ----


def assign(x, i):
    x[i] = 5.0
    return x


def assign_pair(x, i, j):
    x[i, j] = 5.0
    return x


def assign_column(x, i):
    x[..., i] = 5.0
    return x


def assign_rows(x, i):
    x[:, i] += 5.0
    return x


def assign_in_loop(x, n):
    for i in range(n):
        x[i] = i
    return x


def assign_in_branch(x, i):
    if i < 3:
        x[i] = 5.0
    return x


ROW, GRID = np.arange(3.0), np.zeros((2, 3))


@pytest.mark.parametrize(
    ("function", "array", "cases"),
    [
        (assign, ROW, [(0,), (2,), (-3,), (3,), (-4,)]),
        (assign, ROW, [(np.array([0, 2]),), (np.array([0, 7]),)]),
        (assign, ROW, [(np.uint8(2),), (np.uint32(3),), (np.uint32(2**32 - 1),)]),
        (assign, GRID, [(0,), (1,), (-2,), (2,)]),
        (assign_pair, GRID, [(0, 0), (1, 2), (-1, -1), (2, 0), (0, 3)]),
        (assign_column, GRID, [(0,), (2,), (3,)]),
        (assign_rows, GRID, [(0,), (2,), (3,)]),
        (assign_in_loop, ROW, [(2,), (3,), (4,)]),
        (assign_in_branch, ROW, [(2,), (3,), (-4,)]),
    ],
)
def test_assigned_items_of_arrays(function, array, cases):
    program = jax.jit(autograph.to_graph(function))
    for indices in cases:
        try:
            expected = function(array.copy(), *indices)
        except IndexError as error:
            line = error.__traceback__.tb_next.tb_lineno
            with pytest.raises(jax.errors.JaxRuntimeError, match="out of bounds") as caught:
                jax.block_until_ready(program(array, *indices))
            assert f"line {line}, in {function.__name__}" in str(caught.value)
        else:
            np.testing.assert_array_equal(program(array, *indices), expected)


def test_reading_and_explicit_updates_keep_the_meaning_of_jax():
    program = jax.jit(autograph.to_graph(lambda x, i: (x[i], x.at[i].set(9.0))))
    item, array = program(ROW, 7)
    assert item == jnp.asarray(ROW)[7]
    np.testing.assert_array_equal(array, ROW)


def test_gradient_through_assigned_items():
    def total(x, ys):
        for i, y in enumerate(ys):
            x[i] = y * x[i]
        return x.sum()

    gradient = jax.jit(jax.grad(autograph.to_graph(total), argnums=1))
    np.testing.assert_array_equal(gradient(jnp.arange(3.0), jnp.ones(3)), [0.0, 1.0, 2.0])
