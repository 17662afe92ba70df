"""Functions of libraries that call functions of the program: these run converted, data stays."""

from __future__ import annotations

import concurrent.futures
import functools
import itertools
from collections.abc import Callable
from typing import Any

import pytest

import autograph
from tests.autograph.tiny_library import Value, run


def twice(number: int) -> int:
    if number > 2:
        return 2 * number
    return number


def make_repeated() -> Any:
    return next(itertools.repeat(twice))


def make_chained() -> Any:
    return next(itertools.chain([1, twice], [2])), list(itertools.chain([1, twice]))[1]


def make_products() -> Any:
    return next(itertools.product([twice], (1,)))[0], next(itertools.zip_longest({twice: 1}))[0]


@pytest.mark.parametrize("make", [make_repeated, make_chained, make_products])
def test_functions_among_data_keep_their_identity(make: Callable[[], Any]) -> None:
    assert autograph.to_graph(make)() == make()


def test_a_list_that_contains_itself_is_data() -> None:
    def lengths() -> list[int]:
        row: list[Any] = [1]
        row.append(row)
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            return [len(list(itertools.zip_longest(row, row))), *pool.map(len, [row])]

    assert autograph.to_graph(lengths)() == lengths() == [2, 2]


def test_a_function_of_another_process_is_passed_by_its_name() -> None:
    def mapped() -> list[int]:
        with concurrent.futures.ProcessPoolExecutor(1) as pool:
            return list(pool.map(twice, range(5)))

    assert autograph.to_graph(mapped)() == mapped()


@pytest.mark.parametrize(
    "call",
    [
        "list(itertools.accumulate([1, x, 2], larger))",
        "list(itertools.accumulate([1, x, 2], func=larger))",
        "list(itertools.starmap(larger, [(x, 1), (2, 3)]))",
        "functools.reduce(larger, [1, x, 2])",
    ],
)
def test_the_called_argument_runs_converted(call: str) -> None:
    text = f"""\
import functools, itertools
def larger(a, b):
    if a > b:
        return a
    return b
def f(x):
    return {call}
"""
    expected = eval(call, {"x": 3, "larger": max, "itertools": itertools, "functools": functools})
    got = run(text, Value(3))
    assert got == expected


@pytest.mark.parametrize(
    "call",
    [
        lambda: list(itertools.accumulate([1, 2])),
        lambda: [(key, list(each)) for key, each in itertools.groupby([1, 1, 2])],
        lambda: list(itertools.filterfalse(None, [0, 1])),
        lambda: list(itertools.takewhile(twice, [1, 0, 2])),
        lambda: list(itertools.dropwhile(twice, [1, 0, 2])),
    ],
)
def test_calls_without_a_function_stay(call: Callable[[], Any]) -> None:
    assert autograph.to_graph(call)() == call()


def test_wrong_arguments_are_refused_as_by_python() -> None:
    def wrong() -> Any:
        return itertools.starmap(twice)  # type: ignore[call-arg]

    with pytest.raises(TypeError, match="starmap expected 2 arguments, got 1"):
        autograph.to_graph(wrong)()
