"""NumPy programs as graphs: loops, calls, prints, and what a graph of tensors does beside them."""

from __future__ import annotations

import contextlib
import copy
import functools
import io
import math
import types
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.numpy_programs.program import ArrayStaging
from tests.runtime.numpy_programs.comparison import (
    MATRIX,
    VECTOR,
    Program,
    check_refused,
    difference,
    each,
)

TABLE = np.arange(5.0)


def a_table_from_outside(i):
    return TABLE[i], TABLE * i, TABLE[1:3]


def built_in_functions(x):
    return [v * 2 for v in x[:4]], sum(x), max(x), min(x), len(x), max(x[0], 0.5), int(x[1])


def a_sum_in_a_narrow_dtype(x):
    return sum(x), sum(x > 2), sum(x[:0])


def quotients_and_remainders(x):
    k = int(x[1])
    return divmod(x[0], 2), divmod(x[0], 1.5), divmod(7, x[2]), divmod(x[0], np.int8(3)), 7 // k


def leaves_a_loop_early(x):
    for i in range(len(x)):
        if x[i] > 0.9:
            return i
    return -1


def the_best_so_far(x):
    best = previous = None
    rises = 0
    for v in x:
        if best is None or v > best:
            best = v
        if previous is not None and v > previous:
            rises += 1
        previous = v
    return best, previous, rises


def a_local_function_that_calls_itself(x):
    def times(v, n):
        return v if n == 0 else times(v * 2, n - 1)

    return times(x, 3)


def a_tuple_of_tables(x):
    offsets = [(0, 1), (1, 0), (0, -1)]
    total = 0.0
    for i in range(1, x.shape[0] - 1):
        for di, dj in offsets:
            total += x[i + di, 2 + dj]
    return total


def leaves_two_loops(m):
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            if m[i, j] > 0.9:
                return i, j
    return None


def raises_in_a_loop(x):
    for i in range(len(x)):
        if x[i] < 0:
            raise ValueError("negative")
        x[i] = np.sqrt(x[i])
    return x


def is_filled_until_it_overflows(x):
    flow = np.zeros_like(x)
    position = 0
    while True:
        rest = x[position] - flow[position]
        if rest > 0.7:
            return position, flow
        flow[position] += rest
        position += 1


def is_changed_until_a_large_item(x):
    for i in range(len(x)):
        if x[i] > 0.9:
            return x
        x[i] += 1
    x[0] = 9
    return x


def orders_by_items(x):
    ranks = sorted(range(len(x)), key=lambda i: x[i])
    first, largest = max(enumerate(x), key=lambda pair: pair[1])
    return ranks, sorted(enumerate(x), key=lambda pair: -pair[1]), first, largest


def functions_of_math(x):
    pairs = math.pow(x[0], 0.3), math.hypot(x[1], 0.3), math.fmod(x[2], 0.3)
    return pairs, math.fsum(x[:3]), math.dist(x[:2], x[1:3])


def lists_of_scalars_are_compared(x):
    pair = [x[0], x[1]]
    return pair == [x[0], 2], pair != [1, 2], {"a": x[0]} == {"a": x[0]}, [pair] == [[1, 2]]


@each(
    (lists_of_scalars_are_compared, (np.array([1, 2]),)),
    (lists_of_scalars_are_compared, (VECTOR,)),
    (is_filled_until_it_overflows, (VECTOR,)),
    (is_changed_until_a_large_item, (VECTOR,)),
    (is_changed_until_a_large_item, (VECTOR * 0.1,)),
    (orders_by_items, (VECTOR[:4],)),
    (functions_of_math, (VECTOR,)),
    (a_table_from_outside, (np.int64(2),)),
    (built_in_functions, (VECTOR,)),
    (a_sum_in_a_narrow_dtype, (np.arange(100, 105, dtype=np.uint8),)),
    (a_sum_in_a_narrow_dtype, (np.arange(5, dtype=np.float32),)),
    (quotients_and_remainders, (np.array([7, 2, 3], np.float32),)),
    (quotients_and_remainders, (np.array([7, 2, 3], np.uint8),)),
    (leaves_a_loop_early, (VECTOR,)),
    (the_best_so_far, (VECTOR,)),
    (leaves_a_loop_early, (VECTOR * 0.1,)),
    (a_local_function_that_calls_itself, (VECTOR,)),
    (a_tuple_of_tables, (MATRIX,)),
    (leaves_two_loops, (MATRIX,)),
    (leaves_two_loops, (MATRIX * 0.5,)),
    (raises_in_a_loop, (VECTOR,)),
    (raises_in_a_loop, (VECTOR - 0.5,)),
)
def test_a_program_agrees(program: Program, arguments: tuple[Any, ...]) -> None:
    assert difference(program, *arguments) == ""


class Gate:
    def __init__(self, n):
        self.n = n

    def __bool__(self):
        return self.n > 0


def truth_of_an_object(n):
    gate = Gate(n)
    return bool(gate)


def test_a_truth_of_numpy_is_no_bool_of_python() -> None:
    assert difference(truth_of_an_object, 3) == ""
    message = "__bool__ should return bool"
    check_refused(truth_of_an_object, (np.int64(3),), message, 2)
    with pytest.raises(TypeError, match=message):
        truth_of_an_object(np.int64(3))


class Window:
    def __init__(self, n):
        self.n = n

    def __bool__(self):
        if self.n > 2:
            return False
        return self.n > 0


def truth_by_two_ways(n):
    window = Window(n)
    return 1 if window else 0


def identity_by_two_ways(x):
    positive = False
    if x[0] > 1:
        positive = x[0] > 2
    return positive is False


@each(
    (truth_by_two_ways, (np.int64(1),), "a bool of Python on one way to here", 2),
    (identity_by_two_ways, (VECTOR,), "a bool of Python on one way to here", 4),
)
def test_a_truth_of_either_kind_is_refused_where_the_kind_matters(
    program: Program, arguments: tuple[Any, ...], message: str, line: int
) -> None:
    check_refused(program, arguments, message, line)


def identity_of_truths(x, n):
    return (x[0] > 0) is True, (x[0] > 0) is not True, (n > 0) is True, (not x[0]) is False


@pytest.mark.parametrize("n", [3, np.int64(3)])
def test_identity_of_truths_is_that_of_python(n: object) -> None:
    assert difference(identity_of_truths, VECTOR, n) == ""


def test_a_program_calls_another_one() -> None:
    @tf.function(numpy=True)
    def inner(a):
        a[0] = 1
        return a.sum()

    @tf.function(numpy=True)
    def outer(a):
        return inner(a) + a[0]

    x = np.zeros(3)
    assert outer(x) == 2.0
    assert x.tolist() == [1, 0, 0]


def test_print_shows_values_at_each_call(capsys: pytest.CaptureFixture[str]) -> None:
    @tf.function(numpy=True)
    def program(x):
        print(x[0], x.shape)
        return x

    program(np.ones(2))
    program(np.zeros(2))
    assert capsys.readouterr().out == "1.0 (2,)\n0.0 (2,)\n"


def prints_what_python_knows(n):
    print("begin", n)
    for i in range(n):
        print("step", i, [i, n], sep="|")
        if i == 2:
            print("two")
    print(f"{n:>4}", end=";\n")
    return n


def prints_containers(x):
    print([1, x[0]], (x[1], x), {"k": x[0]}, repr(x[0]), repr(x), str(x), f"{x[0]!r}")
    for i in range(len(x)):
        print(i, [i, x[i]], x[i] > 1)
    return x[0]


def the_printed(program: Program, argument: Any) -> str:
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        program(argument)
    return shown.getvalue()


@pytest.mark.parametrize("n", [3, 12])
def test_print_of_python_numbers_shows_them_once_at_each_call(n: int) -> None:
    graph = tf.function(prints_what_python_knows, numpy=True)
    wanted = the_printed(prints_what_python_knows, n)
    assert [the_printed(graph, n) for _ in range(3)] == [wanted] * 3


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.uint8])
def test_print_shows_scalars_and_arrays_in_containers_as_numpy_does(dtype: Any) -> None:
    x = np.array([1.5, 0.1]).astype(dtype)
    graph = tf.function(prints_containers, numpy=True)
    assert the_printed(graph, x) == the_printed(prints_containers, x)


def numbers_of_catalan(n):
    numbers = [0] * (n + 1)
    numbers[0] = 1
    for i in range(1, n + 1):
        for j in range(i):
            numbers[i] += numbers[j] * numbers[i - 1 - j]
    return numbers


def counts_in_a_list(x):
    counts = [0] * 4
    for value in x:
        counts[value] += 1
    sorted_again = []
    for value, count in enumerate(counts):
        sorted_again.extend([value] * count)
    return sorted_again


def a_queue(n):
    waiting = [n]
    total = 0
    while waiting:
        first = waiting.pop(0)
        total += first
        if first > 1:
            waiting.append(first - 1)
    return total


def a_list_that_may_be_empty(x):
    found = {}
    values = found.setdefault("a", [])
    for value in x:
        if value > 2:
            values.insert(0, value)
    return found["a"], len(values)


@each(
    (a_queue, (np.int64(5),)),
    (a_list_that_may_be_empty, (np.array([3, 0, 1, 3]),)),
    (a_list_that_may_be_empty, (np.array([0, 1]),)),
    (numbers_of_catalan, (6,)),
    (numbers_of_catalan, (np.int64(6),)),
    (counts_in_a_list, (np.array([3, 0, 1, 3]),)),
)
def test_lists_of_numbers_are_tables(program: Program, arguments: tuple[Any, ...]) -> None:
    assert difference(program, *arguments) == ""


def arrays_of_a_list_that_grew(x):
    large, places, pairs = [], [], []
    for i, v in enumerate(x):
        if v > 1:
            large.append(v)
            places.append(i)
            pairs.append((v, v * 2))
    sums = np.sum(large), np.mean(large), np.dot(large, large), np.max(np.abs(large))
    moved = np.sort(large), np.diff(large), np.sqrt(large), np.concatenate([large, large])
    return sums, moved, x[places], np.take(x, places), np.array(pairs), np.asarray(places) / 2


def an_array_of_a_list_of_ints(x):
    places = []
    for i, v in enumerate(x):
        if v > 1:
            places.append(i)
    return np.array(places)


def visits_neighbors(x):
    waiting, seen = [0], np.zeros(len(x), dtype=bool)
    while waiting:
        i = waiting.pop()
        if not seen[i]:
            seen[i] = True
            waiting.extend(np.where(np.abs(x - x[i]) < 0.3)[0])
    chosen = []
    chosen.extend(x[seen])
    return seen, chosen


def test_a_list_is_extended_by_an_array_of_unknown_length() -> None:
    assert difference(visits_neighbors, VECTOR[:6]) == ""


def test_a_list_that_grew_is_an_array_for_functions_of_numpy() -> None:
    for x in (np.array([2.5, 0.5, 1.5, 3.5]), np.array([1, 2, 3])):
        assert difference(arrays_of_a_list_that_grew, x) == ""


def test_an_array_of_an_empty_list_whose_dtype_would_be_that_of_items_is_an_error() -> None:
    function = tf.function(an_array_of_a_list_of_ints, numpy=True)
    assert function(np.array([2.0, 0.0, 3.0])).tolist() == [0, 2]
    with pytest.raises(ValueError, match="a list that is empty"):
        function(np.zeros(3))


class Scale:
    def __init__(self, by):
        self.by = by

    def __call__(self, x):
        return x * self.by


def appends_its_scale(items, by, x):
    items.append(by)
    return x


@pytest.mark.parametrize("program", [Scale(2.0), functools.partial(lambda by, x: x * by, 2.0)])
def test_partials_and_objects_that_are_called_are_programs(program: Program) -> None:
    assert difference(program, VECTOR) == ""


def test_a_partial_that_changes_a_list_is_refused() -> None:
    program = tf.function(functools.partial(appends_its_scale, by=2.0), numpy=True)
    with pytest.raises(ValueError, match="changes its argument `items`"):
        program([np.zeros(2)], x=VECTOR)


def test_programs_of_tensors_keep_their_meaning() -> None:
    assert isinstance(np.sin(tf.constant([1.0])), np.ndarray)

    @tf.function
    def program(x):
        return x + 1

    assert program(np.zeros(2)).dtype is tf.float64


def test_a_graph_of_tensors_refuses_a_numpy_program() -> None:
    inner = tf.function(built_in_functions, numpy=True)
    with pytest.raises(TypeError, match="is a NumPy program"):
        tf.function(lambda x: inner(x))(tf.constant(1.0))


def test_a_method_is_a_program_of_its_instance() -> None:
    class Filter:
        def __init__(self, weights: Any) -> None:
            self.weights = weights

        @tf.function(numpy=True)
        def apply(self, x, scale=1.0):
            x[0] = 7.0
            return scale * x * self.weights, len(x)

    one, other = Filter(np.ones(3)), Filter(np.arange(3.0))
    for scale in (1.0, 1.0, 2.0):
        for each_filter in (one, other):
            x = np.ones(3)
            found, length = each_filter.apply(x, scale=scale)
            np.testing.assert_array_equal(found, scale * x * each_filter.weights)
            assert (length, x[0], type(found)) == (3, 7.0, np.ndarray)
    one.weights = np.full(3, 2.0)
    np.testing.assert_array_equal(one.apply(np.zeros(3))[0], [14.0, 0.0, 0.0])
    one.weights[1] = 5.0
    np.testing.assert_array_equal(one.apply(np.ones(3))[0], [14.0, 5.0, 2.0])


def test_arrays_that_are_defaults_are_arguments() -> None:
    def program(x, y=np.zeros(2), *, w=np.ones(2)):  # noqa: B008
        y[0] += 3
        return x + y + w

    plain = types.FunctionType(program.__code__, globals(), "plain", (np.zeros(2),))
    plain.__kwdefaults__ = {"w": np.ones(2)}
    traced = tf.function(program, numpy=True)
    x = np.zeros(2)
    for named in ({}, {}, {"y": np.ones(2)}, {"w": np.zeros(2)}, {}):
        own, other = copy.deepcopy(named), copy.deepcopy(named)
        np.testing.assert_array_equal(traced(x, **own), plain(x, **other))
        np.testing.assert_equal(own, other)
    np.testing.assert_array_equal(program.__defaults__[0], plain.__defaults__[0])


def largest_factor(number):
    factor, largest = 2, 1
    while factor * factor <= number:
        while number % factor == 0:
            largest = factor
            number //= factor
        factor += 1
    return number if number > 1 else largest


def test_a_loop_over_python_numbers_in_another_is_recorded_a_few_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recorded = []
    staged = ArrayStaging.while_loop

    def while_loop(self: ArrayStaging, *args: Any, **options: Any) -> Any:
        recorded.append(args)
        return staged(self, *args, **options)

    monkeypatch.setattr(ArrayStaging, "while_loop", while_loop)
    assert tf.function(largest_factor, numpy=True)(600851475143) == 6857
    assert len(recorded) < 20
