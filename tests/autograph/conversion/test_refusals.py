"""A statement that stayed Python is named where a staged value fails in it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import autograph
import runtime as tf


def failure(function: Callable[..., Any], *arguments: Any) -> BaseException:
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError) as caught:
        tf.function(function)(*arguments)
    return caught.value


def line_of(text: str) -> int:
    """The line of this file that ends with a mark."""
    lines = Path(__file__).read_text("utf-8").split("\n")
    return next(n for n, line in enumerate(lines, 1) if line.endswith(f"# {text}"))


def in_generator(x: Any) -> Any:
    def items() -> Iterator[Any]:
        if x > 0:  # generator
            yield x
        yield 1

    return sum(items())


def deletes(x: Any) -> Any:
    global OUTSIDE
    if x > 0:  # deletes
        del OUTSIDE
    return x


OUTSIDE = 1


def sees_its_variables(x: Any) -> Any:
    y = 1
    if x > 0:  # locals
        y = 2
    return locals()["y"]


@pytest.mark.parametrize(
    "function, mark, reason, remedy",
    [
        (in_generator, "generator", "it contains `yield`", "in a plain function"),
        (deletes, "deletes", "it deletes a variable of another", "assign None instead of `del`"),
        (sees_its_variables, "locals", "the function calls `locals`", "a function of its own"),
    ],
)
def test_the_statement_is_named(
    function: Callable[..., Any], mark: str, reason: str, remedy: str
) -> None:
    shown = str(failure(function, tf.constant(1)))
    assert "symbolic tensor" in shown
    assert f"This `if` stays Python: {reason}" in shown
    assert remedy in shown
    assert f'File "{__file__}", line {line_of(mark)}' in shown
    assert "Write it in code that is converted" not in shown


def test_a_comparison_by_python_names_displays() -> None:
    def same(a: Any, b: Any) -> Any:
        return len(a) == len(b) and a == b

    def same_by_items(a: Any, b: Any) -> Any:
        return (*a,) == (*b,)

    shown = str(failure(lambda x: same((x, 1), (2, 1)), tf.constant(1)))
    assert "What is compared or called here is Python's own" in shown
    assert "`(*a,) == (*b,)`" in shown

    class Number:
        def __init__(self, value: Any) -> None:
            self.value = value

        def __eq__(self, other: object) -> Any:
            return self.value == other.value  # type: ignore[attr-defined]

    def differ(a: Any, b: Any) -> Any:  # has nothing to convert
        return a != b

    shown = str(failure(lambda x: differ(Number(x), Number(2)), tf.constant(1)))
    assert "write `not a == b` for objects" in shown
    for value in (1, 2):
        found = tf.function(lambda x: not Number(x) == Number(2))(tf.constant(value))  # noqa: SIM201
        assert bool(found) == (value != 2)
        found = tf.function(lambda x: same_by_items((x, 1), (2, 1)))(tf.constant(value))
        assert bool(found) == (value == 2)


class Ordered:
    def __init__(self, value: Any) -> None:
        self.value = value

    def __lt__(self, other: Ordered) -> Any:
        return self.value < other.value


def test_a_function_of_python_that_asks_for_the_truth_is_told_from_a_test() -> None:
    def smallest(x: Any) -> Any:
        return sorted([Ordered(x), Ordered(2)])[0].value

    def in_place(x: Any) -> Any:
        row = [Ordered(x), Ordered(2)]
        row.sort()
        return row[0].value

    def by_key(x: Any) -> Any:
        return sorted([Ordered(x), Ordered(2)], key=lambda each: each.value)[0].value

    @autograph.do_not_convert
    def tests(x: Any) -> Any:
        return bool(x)

    def by_comparison(x: Any) -> Any:
        compare = functools.cmp_to_key(lambda a, b: -1 if a < b else 1)
        return sorted([x, 2], key=compare)[0]

    for function in (smallest, in_place, by_comparison):
        assert "Give a sort of objects a `key`" in str(failure(function, tf.constant(1)))
    for value in (1, 3):
        assert int(tf.function(by_key)(tf.constant(value))) == by_key(value)
    assert "Write it in code that is converted" in str(failure(lambda x: tests(x), tf.constant(1)))


def test_a_test_of_a_comparison_by_python_does_not() -> None:
    @autograph.do_not_convert
    def is_one(value: Any) -> bool:
        return True if value == 1 else False  # noqa: SIM210

    assert "This comparison" not in str(failure(lambda x: is_one(x), tf.constant(1)))


def test_what_a_statement_only_calls_is_not_put_on_it() -> None:
    @autograph.do_not_convert
    def truth(value: Any) -> bool:
        return bool(value)

    def f(x: Any) -> Any:
        global OUTSIDE
        if truth(x):
            del OUTSIDE
        return x

    shown = str(failure(f, tf.constant(1)))
    assert "stays Python" not in shown
    assert "Write it in code that is converted" in shown


def test_a_comprehension_that_stays_python_is_named() -> None:
    def assigns(xs: Any) -> Any:
        return [y for x in xs if (y := x * x) > 4]

    def is_a_set(xs: Any) -> Any:
        return {x for x in xs if x > 1}

    for function in (assigns, is_a_set):
        shown = str(failure(function, tf.constant([1, 2, 3])))
        assert "write a loop in place" in shown
        assert "a comprehension with `:=`, of a set or of a dict" in shown
