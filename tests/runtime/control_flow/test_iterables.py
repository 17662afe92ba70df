"""Staged `for` over ranges: the items are counted, never stored."""

import tracemalloc

import numpy as np
import pytest

import autograph
import runtime as tf

HUGE = 2_000_000_000


def items_of(*bounds):
    """The items of `tf.range` as a staged loop sees them, weighted by their position."""
    found = []
    position = 0
    for item in tf.range(*bounds):
        found.append(item)
        position += 1
    return found, position


def first_after(n, least):
    seen = tf.cast(-1, n.dtype)
    for i in tf.range(n):
        seen = i
        if i >= least:
            break
    return seen


@pytest.mark.parametrize("dtype", [tf.int32, tf.int64, tf.float64])
def test_early_break_costs_no_memory(dtype):
    f = tf.function(first_after)
    n, least = tf.constant(HUGE, dtype), tf.constant(3, dtype)
    tracemalloc.start()
    try:
        assert f(n, least).numpy() == 3
        assert tracemalloc.get_traced_memory()[1] < 200_000_000
    finally:
        tracemalloc.stop()


def test_early_break_of_constant_range_costs_no_memory():
    @tf.function
    def f(x):
        for i in tf.range(HUGE):
            x += i
            if x > 5:
                break
        return x

    assert f(tf.constant(0)).numpy() == 6


@pytest.mark.parametrize(
    "bounds",
    [
        (0,),
        (5,),
        (2, 9),
        (2, 9, 3),
        (9, 2, -2),
        (-3, 3),
        (-(2**31), 2**31 - 1, 2**30),
        (4, 4, -1),
    ],
)
@pytest.mark.parametrize("dtype", [tf.int32, tf.int64])
@pytest.mark.parametrize("static", [True, False])
def test_items_of_integers_are_those_of_the_tensor(bounds, dtype, static):
    args = [tf.constant(each, dtype) for each in bounds]
    expected = tf.range(*args).numpy()
    f = tf.function(lambda: items_of(*args)) if static else tf.function(items_of)
    found, position = f() if static else f(*args)
    assert position.numpy() == len(expected)
    assert np.asarray(found).tolist() == expected.tolist()


@pytest.mark.parametrize(
    "bounds",
    [(1.0,), (0.0, 1.0, 0.1), (1.0, 0.0, -0.3), (0.1, 2.0, 0.7), (0.0, 1e-3, 1e-4), (-0.5, 2.5)],
)
@pytest.mark.parametrize("dtype", [tf.float32, tf.float64, tf.float16])
def test_items_of_floats_are_those_of_the_tensor(bounds, dtype):
    args = [tf.constant(each, dtype) for each in bounds]
    expected = tf.range(*args).numpy()
    found, position = tf.function(items_of)(*args)
    assert position.numpy() == len(expected)
    assert np.asarray(found).tolist() == expected.tolist()
    assert all(item.dtype is dtype for item in found)


@pytest.mark.parametrize("dtype", [tf.int32, tf.int64, tf.float32])
@pytest.mark.parametrize(
    ("bounds", "words"),
    [
        ((0, 5, 0), "step of a range cannot be 0"),
        ((5, 2, 1), "start <= limit when delta > 0"),
        ((2, 5, -1), "start >= limit when delta < 0"),
    ],
)
def test_wrong_bounds_raise_as_they_do_eagerly(dtype, bounds, words):
    args = [tf.constant(each, dtype) for each in bounds]
    for function in (items_of, tf.function(items_of), autograph.to_graph(items_of)):
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            function(*args)


def test_range_in_a_variable_and_of_an_outer_loop():
    @tf.function
    def f(n):
        r = tf.range(n)
        total = 0
        for i in r:
            for j in r:
                total += i * j
        return total + tf.size(r)

    assert f(tf.constant(4)).numpy() == 36 + 4


def test_range_beside_other_iterables():
    @tf.function
    def f(n, xs):
        total = 0
        for k, (i, x) in enumerate(zip(tf.range(-2, n), xs, strict=False), tf.constant(10)):
            total += k * i * x
        for i in reversed(range(n)):
            total = total * 2 + i
        return total

    def plain(n, xs):
        total = 0
        for k, (i, x) in enumerate(zip(range(-2, n), xs, strict=False), 10):
            total += k * i * x
        for i in reversed(range(n)):
            total = total * 2 + i
        return total

    assert f(tf.constant(4), tf.constant([3, 1, 4, 1, 5])).numpy() == plain(4, [3, 1, 4, 1, 5])


def test_loop_variable_is_read_after_the_loop():
    @tf.function
    def f(n):
        i = -1
        for i in tf.range(3, n, 4):  # noqa: B007
            pass
        return i

    assert f(tf.constant(20)).numpy() == 19
    assert f(tf.constant(3)).numpy() == -1


def test_graph_holds_no_array_of_the_items():
    concrete = tf.function(first_after).get_concrete_function(
        tf.TensorSpec([], tf.int32), tf.TensorSpec([], tf.int32)
    )
    assert "Range(" not in concrete.plan_source
    assert 'op: "RangeSize"' not in str(concrete.graph.as_graph_def())


def at_every_step(xs, n):
    pairs, total, step = zip(xs, xs, strict=True), 0, 0
    while step < n:
        step += 1
        for x, _ in pairs:
            total += x
    return total


def after_a_branch(xs, n):
    numbered, total = enumerate(xs), 0
    if n > 0:
        for _, x in numbered:
            total += x
    for i, _ in numbered:
        total += 10 * i
    return total


def after_a_break(xs, n):
    total, backwards = 0, reversed(xs)
    for x in backwards:
        if x < n:
            break
    for x in backwards:
        total += x
    return total


def inside_another(xs, n):
    doubled, total = map(lambda x: 2 * x, xs), n  # noqa: C417
    for i, x in enumerate(doubled):
        total += i * x
    for x in doubled:
        total += x
    return total


@pytest.mark.parametrize("program", [at_every_step, after_a_branch, after_a_break, inside_another])
@pytest.mark.parametrize("size", [3, None])
def test_a_second_loop_over_an_iterator_is_refused(program, size):
    specs = [tf.TensorSpec([size], tf.int32), tf.TensorSpec([], tf.int32)]
    with pytest.raises(TypeError, match="may have been read before") as caught:
        tf.function(program, input_signature=specs)([1, 2, 3], 2)
    assert any(entry.name == program.__name__ for entry in caught.traceback)


def test_an_iterator_made_outside_is_read_in_one_branch():
    def program(xs, n):
        pairs, total = zip(xs, xs, strict=True), 0
        if n > 0:
            for x, y in pairs:
                total += x * y
        else:
            for x, _ in pairs:
                total -= x
        return total

    f = tf.function(program)
    for n in (1, -1):
        assert f(tf.constant([1, 2, 3]), tf.constant(n)).numpy() == program([1, 2, 3], n)


def test_nested_iterators_are_read_in_each_of_several_loops():
    def program(xs, n):
        total = 0
        for _ in range(n):
            for i, (x, y) in enumerate(zip(xs, reversed(xs), strict=True)):
                total += i * x - y
        return total + sum(x * i for i, x in enumerate(xs))

    f = tf.function(program)
    assert f(tf.constant([1, -2, 3]), tf.constant(2)).numpy() == program([1, -2, 3], 2)
