"""Closures that call each other in staged branches: cost, and what they change on the way."""

import itertools
import sys
import threading

import numpy as np
import pytest

import autograph
import runtime as tf
from autograph.reach import walk

DEPTHS = [0, 1, 4]


def plain(value):
    return [np.float32(leaf).item() for leaf in tf.nest.flatten(value)]


def chain(depth, make):
    def step(x):
        return x

    for _ in range(depth):
        step = make(step)
    return step


def returning(inner):
    def step(x):
        if x > 0:
            return inner(x - 1.0)
        return x * 2.0

    return step


def adding(inner):
    def step(x):
        y = x
        if x > 0:
            y = inner(x - 1.0) + y
        return y

    return step


def looping(inner):
    def step(x):
        while x > 4.0:
            x = inner(x) * 0.5 - 1.0
        return x

    return step


def with_default(inner, scale=0.5):
    def step(x, by=scale):
        return inner(x * by) if x > 1.0 else x + by

    return step


def counting_in_a_variable(depth):
    count = tf.constant(0)

    def make(inner):
        def step(x):
            nonlocal count
            if x > 0:
                count = count + 1
                x = inner(x - 1.0)
            return x

        return step

    step = chain(depth, make)
    return lambda x: (step(x), count)


def counting_in_a_list(depth):
    counts = [0]

    def make(inner):
        def step(x):
            if x > 0:
                counts[0] = counts[0] + 1
                x = inner(x - 1.0)
            return x

        return step

    step = chain(depth, make)
    return lambda x: (step(x), counts[0])


def counting_in_an_attribute(depth):
    def make(inner):
        def step(x):
            if x > 0:
                total.seen = total.seen + x
                x = inner(x - 1.0)
            return x

        return step

    def total():
        return None

    total.seen = 0.0
    step = chain(depth, make)
    return lambda x: (step(x), total.seen)


def new_attribute_of_a_closure(depth):
    def make(inner):
        def step(x):
            if x > 0:
                x = inner(x - 1.0)
            else:
                inner.last = x
            return x

        return step

    return chain(depth, make)


def rebound_closure(depth):
    def double(x):
        return x * 2.0

    last = double

    def make(inner):
        def step(x):
            nonlocal last
            if x > 2.0:
                x = inner(x - 1.0)
                last = double
            return last(x)

        return step

    return chain(depth, make)


def attribute_by_a_closure_of_constants(depth):
    def note(x):
        note.last = x
        return x

    def make(inner):
        def step(x):
            if x > 0:
                x = inner(note(x) - 1.0)
            return x

        return step

    step = chain(depth, make)
    return lambda x: (step(x), getattr(note, "last", x))


def variable_of_a_generator(depth):
    seen = 0.0

    def counting():
        nonlocal seen
        while True:
            seen = seen + 1.0
            yield seen

    def make(inner):
        def step(x):
            if x > 0:
                x = inner(x - 1.0) + next(counting())
            return x + seen

        return step

    return chain(depth, make)


AGREEING = {
    "returning": lambda depth: chain(depth, returning),
    "adding": lambda depth: chain(depth, adding),
    "looping": lambda depth: chain(min(depth, 2), looping),
    "with_default": lambda depth: chain(depth, with_default),
    "alternating": lambda depth: chain(depth // 2, lambda inner: adding(returning(inner))),
    "variable": counting_in_a_variable,
    "list": counting_in_a_list,
    "attribute": counting_in_an_attribute,
    "new attribute": new_attribute_of_a_closure,
    "rebound": rebound_closure,
    "attribute of constants": attribute_by_a_closure_of_constants,
    "generator": variable_of_a_generator,
}


@pytest.mark.parametrize("kind", AGREEING)
@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("x", [-1.0, 3.5, 40.0])
def test_nested_calls_agree_with_python(kind, depth, x):
    make = AGREEING[kind]
    expected = plain(make(depth)(tf.constant(x)))
    assert plain(tf.function(make(depth))(tf.constant(x))) == expected
    assert plain(autograph.to_graph(make(depth))(tf.constant(x))) == expected


@pytest.mark.skipif(
    sys.version_info[:2] == (3, 12), reason="3.12 limits nested calls of C at any recursion limit"
)
def test_hundreds_of_nested_calls_are_traced():
    results = []

    def run():
        step = tf.function(chain(300, returning))
        results.extend([step(tf.constant(3.5)).numpy(), step(tf.constant(299.5)).numpy()])

    limit, size = sys.getrecursionlimit(), threading.stack_size(512 * 2**20)
    sys.setrecursionlimit(50_000)
    try:
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
    finally:
        sys.setrecursionlimit(limit)
        threading.stack_size(size)
    assert results == [-1.0, -0.5]


def memoized(n):
    known = {}

    def fib(k):
        if k in known:
            return known[k]
        if k < 2:
            return k
        known[k] = fib(k - 1) + fib(k - 2)
        return known[k]

    return fib(n)


def test_recursion_that_cannot_be_a_graph_says_why():
    with pytest.raises(RecursionError, match="`known` may get a key that is a tensor") as caught:
        tf.function(memoized)(tf.constant(5))
    assert "setrecursionlimit" not in str(caught.value)


class Log:
    last = None


LOG = Log()


def noted(x):
    LOG.last = None
    return x


def noting(inner):
    def step(x):
        if x > 0:
            return inner(noted(x) - 1.0)
        return x * 2.0

    return step


@pytest.mark.parametrize("make", [returning, adding, noting])
def test_nested_statements_look_at_each_closure_once(make, monkeypatch):
    looks = itertools.count()
    look = walk.Reach._look_at_cells

    def counted(self, function):
        next(looks)
        look(self, function)

    monkeypatch.setattr(walk.Reach, "_look_at_cells", counted)

    def work(depth):
        start = next(looks)
        spec = tf.TensorSpec([], tf.float32)
        tf.function(chain(depth, make)).get_concrete_function(spec)
        return next(looks) - start

    work(3)
    few, many = work(20), work(80)
    assert many < 4.5 * few
