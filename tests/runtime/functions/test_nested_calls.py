"""Functions that call each other in staged statements: as deep as the stack, at linear cost."""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

import autograph
import runtime as tf


def last(x):
    return x


def closures(count):
    """Closures of one function."""

    def make(following, k):
        def step(x):
            if x > k:
                x = following(x - 1.0)
            return x + 0.5

        return step

    found = last
    for k in range(count):
        found = make(found, float(k))
    return found


def defaults(count):
    """Functions of one code that find the next one in a default."""
    found = last
    for k in range(count):

        def step(x, following=found, k=float(k)):
            if x > k:
                return following(x - 1.0)
            return x * 2.0

        found = step
    return found


FUNCTIONS = "".join(
    f"""
def step{k}(x):
    if x > {k}.0:
        y = step{k - 1}(x - 1.0)
    else:
        y = x * 2.0
    return y
"""
    for k in range(1, 301)
)


def functions(count):
    """Functions of a module."""
    names = {"step0": last}
    autograph.exec(FUNCTIONS, names)
    return names[f"step{count}"]


def in_sequence(count):
    def make(k):
        def step(x):
            if x > k:
                x = x - 1.0
            return x

        return step

    steps = [make(float(k)) for k in range(count)]

    def run(x):
        for step in steps:
            x = step(x)
        return x

    return run


def outside_statements(count):
    """Each calls the next one after its own statement."""

    def make(following, k):
        def step(x):
            if x > k:
                x = x - 1.0
            return following(x)

        return step

    found = last
    for k in range(count):
        found = make(found, float(k))
    return found


NESTED = [closures, defaults, functions]
DEEP = [closures, *(pytest.param(make, marks=pytest.mark.slow) for make in NESTED[1:])]
"""At the depth of the stack the three differ in their cost alone: one is a sample."""
FLAT = [in_sequence, outside_statements]


@contextmanager
def recursion_limit(limit: int) -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(limit)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def on_large_stack(function: Callable[[], Any]) -> Any:
    """Run a function on a thread with room for a high recursion limit."""
    found: list[Any] = []
    before = threading.stack_size(256 * 2**20)
    try:
        thread = threading.Thread(target=lambda: found.append(function()))
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    return found[0]


@pytest.mark.parametrize("make", [*NESTED, *FLAT])
@pytest.mark.parametrize("x", [-3.0, 20.5, 100.0])
def test_nested_calls_agree_with_python(make, x):
    f = make(40)
    expected = f(tf.constant(x)).numpy()
    assert tf.function(f)(tf.constant(x)).numpy() == expected
    assert autograph.to_graph(f)(tf.constant(x)).numpy() == expected


@pytest.mark.parametrize("make", DEEP)
def test_two_hundred_nested_levels_fit_the_usual_stack(make):
    def run():
        f = make(200)
        return tf.function(f)(tf.constant(250.0)).numpy(), f(250.0)

    found, expected = on_large_stack(run)
    assert found == expected


def test_passes_need_no_more_stack_than_the_trace():
    lines = (
        f"    def g{k}(y):\n        if y > {k}:\n            return g{k - 1}(y)\n        return y\n"
        for k in range(1, 60)
    )
    text = "def f(x):\n    def g0(y):\n        return y\n" + "".join(lines) + "    return g59(x)\n"
    f = autograph.exec(text)["f"]

    def run():
        tf.function(f)(tf.constant(1.0))  # what is loaded on demand
        with recursion_limit(320):
            return float(tf.function(f)(tf.constant(100.0)))

    assert on_large_stack(run) == 100.0


def test_two_hundred_guards_fit_the_usual_stack():
    guards = "".join(f"    if x < {k}:\n        return x * {k}\n" for k in range(200))
    f = autograph.exec(f"def f(x):\n{guards}    return x\n")["f"]
    staged = tf.function(f)
    for x in (-1.0, 120.5, 250.0):
        assert on_large_stack(lambda x=x: staged(tf.constant(x)).numpy()) == f(x)


def linked(count):
    """Objects of one class, each of which calls the same method of the next one."""

    class Node:
        def __init__(self, weight, following):
            self.weight = weight
            self.following = following

        def total(self, x):
            if self.following is None:
                return x
            if x > self.weight:
                x = self.following.total(x - 1.0)
            return x + self.weight

    node = None
    for k in range(count):
        node = Node(float(k), node)
    return node.total


def test_methods_of_linked_objects_are_nested_as_deep_as_functions():
    f = linked(150)
    for x in (20.5, 400.0):
        assert on_large_stack(lambda x=x: tf.function(f)(tf.constant(x)).numpy()) == f(x)


@pytest.mark.parametrize("make", DEEP)
def test_end_of_the_stack_is_an_error_that_names_its_remedy(make):
    words = r"(?s)\d+ staged statements are nested here.*, in step.*sys.setrecursionlimit\(20000\)"
    f = make(300)
    with pytest.raises(RecursionError, match=words):
        tf.function(f)(tf.constant(5.0))


REACHED = 200 if sys.version_info[:2] == (3, 12) else 300
"""Calls under a higher limit; Python 3.12 counts calls through C apart from it."""


@pytest.mark.parametrize("make", DEEP)
def test_higher_recursion_limit_is_the_remedy(make):
    def run():
        f = make(REACHED)
        return tf.function(f)(tf.constant(500.0)).numpy(), f(500.0)

    with recursion_limit(20_000):
        found, expected = on_large_stack(run)
    assert found == expected


def test_recursion_error_of_python_stays_python_s():
    def endless(value):
        return endless(value + 1)

    def f(x):
        if x > 0.0:
            x = x + endless(1)
        return x

    with pytest.raises(RecursionError, match=r"^maximum recursion depth exceeded"):
        tf.function(f)(tf.constant(1.0))


def calls_of(function: Callable[[], Any]) -> int:
    """The number of Python functions that are called."""
    count = 0

    def note(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(note)
    try:
        function()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("make", [closures, in_sequence, outside_statements])
def test_cost_of_calls_is_nearly_linear(make):
    def traced(count):
        function = tf.function(make(count))
        return calls_of(lambda: function(tf.constant(5.0)))

    traced(2)
    with recursion_limit(20_000):
        few, many = traced(20), traced(80)
    assert many < 6 * few


def test_a_function_that_another_one_calls_keeps_its_graph_and_its_code():
    @tf.function
    def inner(x):
        return -x if x < 0.0 else x

    def compare(x):
        return inner(x)

    code = inner.python_function.__code__
    inner(tf.constant(-1.0))
    for outer in (tf.function(compare), autograph.convert()(compare)):
        assert outer(tf.constant(-2.0)).numpy() == 2.0
    assert inner.experimental_get_tracing_count() == 1
    assert inner.python_function.__code__ is code
