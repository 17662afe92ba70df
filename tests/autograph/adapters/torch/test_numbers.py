"""Numbers of Python that a tensor chose: assignments change one name alone."""

import pytest

import autograph

torch = pytest.importorskip("torch")

proxy_tensor = pytest.importorskip("torch.fx.experimental.proxy_tensor")


def of_branch(c):
    n = 1 if c > 0 else 2
    m = n + 1
    k = m
    m += 5
    return k, m


def of_loop(c):
    n = 0
    while c > 0:
        n += 1
        c = c - 1
    m = 2 * n
    k = m
    m *= 5
    return k, m


def of_item(c):
    m = -[1, 2][c]
    k = m
    m -= 5
    return k, m


def updated_twice(c):
    n = [1, 2][c]
    n += 1
    k = n
    n += 1
    return k, n


@pytest.mark.parametrize("function", [of_branch, of_loop, of_item, updated_twice])
def test_other_names_of_numbers_do_not_see_assignments(function):
    program = proxy_tensor.make_fx(autograph.to_graph(function))(torch.tensor(1))
    for c in (0, 1):
        assert tuple(map(int, program(torch.tensor(c)))) == function(c)
