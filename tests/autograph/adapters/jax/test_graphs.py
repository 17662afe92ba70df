"""User code runs once for each branch while a program is traced, however deep it is nested."""

import sys
from collections import Counter
from functools import partial

import pytest

import autograph

jax = pytest.importorskip("jax")

runs = Counter()


def count(event, arguments):
    if event == __name__:
        runs.update(arguments)


@pytest.fixture(autouse=True, scope="module")
def counted():
    sys.addaudithook(count)


# An event of `sys.audit` is no change of an object, which the trace would undo.
line = partial(sys.audit, __name__)


def branches(x):
    if x > 0:
        line(1)
        if x > 1:
            line(2)
            if x > 2:
                line(3)
                if x > 3:
                    line(4)
                    x = x + 1
                else:
                    line(5)
            else:
                line(6)
                x = x * 2
        else:
            line(7)
    else:
        line(8)
        x = -x
    return x


def guards(x):
    if x > 4:
        line(1)
        return x + 1
    if x > 3:
        line(2)
        return x + 2
    line(3)
    if x > 2:
        line(4)
        return x + 3
    line(5)
    return x


def loops(x):
    while x < 100:
        line(1)
        while x < 50:
            line(2)
            x = x + 1
            if x > 3:
                line(3)
                while x < 20:
                    line(4)
                    x = x + 30
        x = x + 100
    return x


@pytest.mark.parametrize("transformation", [jax.jit, jax.vmap])
@pytest.mark.parametrize(("function", "lines"), [(branches, 8), (guards, 5), (loops, 4)])
def test_each_line_runs_once(function, lines, transformation):
    runs.clear()
    transformation(autograph.to_graph(function))(
        jax.numpy.ones(() if transformation is jax.jit else 2)
    )
    assert runs == dict.fromkeys(range(1, lines + 1), 1)
