"""Built-in functions on the values of a library."""

from __future__ import annotations

import re
import textwrap
from collections import deque
from collections.abc import Iterator
from typing import Any

import pytest

import runtime as tf
from tests.autograph.command_line import run_python
from tests.autograph.tiny_library import LIBRARY, Value, run
from tests.runtime.control_flow.agreement import check


def test_built_in_functions_ask_the_library_first() -> None:
    text = "def f(xs, ys):\n    return len(xs), len(ys), max(ys)\n"
    assert run(text, Value([1, 2]), [3]) == (2, 1, 3)
    assert LIBRARY.staged == ["len"]


@pytest.mark.parametrize(
    ("call", "result"),
    [
        ("any([x > 5, x > 2])", True),
        ("any((False, x > 5))", False),
        ("any([x > 5, 1])", True),
        ("all([x > 5, x > 2])", False),
        ("all([1, x > 2])", True),
        ("max([x, 2, 5, x])", 5),
        ("min((x, 2, 5))", 2),
        ("any([0, 7])", True),
        ("max([2, 9], key=lambda v: -v)", 2),
    ],
)
def test_lists_with_staged_values_are_folded(call: str, result: Any) -> None:
    assert run(f"def f(x):\n    return {call}\n", Value(3)) == result


class Row:
    """A container of the program."""

    def __init__(self, *items: Any) -> None:
        self.items, self.iterations = items, 0

    def __iter__(self) -> Iterator[Any]:
        self.iterations += 1
        return iter(self.items)


class Sequence:
    def __init__(self, *items: Any) -> None:
        self.items = items

    def __getitem__(self, position: int) -> Any:
        return self.items[position]


class Items(list[Any]):
    """A list of the program."""


@pytest.mark.parametrize(
    "container",
    [
        Row,
        Sequence,
        lambda *items: Items(items),
        lambda *items: deque(items),
        lambda *items: dict(enumerate(items)).values(),
    ],
    ids=["__iter__", "__getitem__", "list", "deque", "values"],
)
def test_containers_of_staged_values_are_searched_as_lists_are(container: Any) -> None:
    def program(x: Any) -> Any:
        members = container(x, 0, 4)
        return any(members), all(container(x, 5)), 3 in members, x not in container(1, 2)

    check(program, (3,), (0,), (2,))


def test_a_container_is_iterated_once() -> None:
    def program(x: Any) -> Any:
        row = Row(x, 0, 4)
        return any(row), row.iterations, 3 in row, row.iterations

    check(program, (3,), (0,))


def test_a_container_whose_iteration_changes_something_is_refused() -> None:
    def program(x: Any) -> Any:
        seen = []

        class Watched:
            def __iter__(self) -> Iterator[Any]:
                for each in (x, 0, 4):
                    seen.append(each)
                    yield each

        return any(Watched()), len(seen)

    with pytest.raises(TypeError, match="`seen` is changed by an iterator"):
        tf.function(program)(tf.constant(3))


def test_a_class_that_says_that_it_is_no_container_is_none() -> None:
    class Sealed:
        __contains__ = None

        def __iter__(self) -> Iterator[Any]:
            return iter([1, 2])

    for program in (lambda x: x in Sealed(), lambda x: 1 in Sealed()):
        with pytest.raises(TypeError, match="is not a container"):
            tf.function(program)(tf.constant(1))


class Untold:
    """An object that has no truth and is not compared."""

    def __bool__(self) -> bool:
        raise ZeroDivisionError

    def __eq__(self, other: object) -> bool:
        raise ZeroDivisionError

    __hash__ = None  # type: ignore[assignment]


@pytest.mark.parametrize(
    "call",
    [
        "any([0, 1, untold])",
        "any([0, [], [1], untold])",
        "all([1, 0, untold])",
        "all((1, [1], (), untold))",
        "any([0, []])",
        "all([1, [0]])",
        "all([])",
        "any(())",
        "2 in [1, 2, untold]",
        "2 not in (1, 2.0, untold)",
        "2 in [[], 2, untold]",
    ],
)
def test_values_after_the_deciding_one_are_not_asked(call: str) -> None:
    untold = Untold()
    expected = eval(call, {"untold": untold})
    assert run(f"def f(untold):\n    return {call}\n", untold) is expected


@pytest.mark.parametrize("call", ["any([0, untold])", "all([1, untold])", "2 in [1, untold]"])
def test_values_before_the_deciding_one_are_asked(call: str) -> None:
    with pytest.raises(ZeroDivisionError):
        run(f"def f(untold):\n    return {call}\n", Untold())


@pytest.mark.parametrize("call", ["any(1, 2)", "all()", "any([1], key=len)"])
def test_wrong_arguments_are_refused_as_by_python(call: str) -> None:
    with pytest.raises(TypeError) as plain:
        eval(call)
    with pytest.raises(TypeError, match=f"^{re.escape(str(plain.value))}$"):
        run(f"def f(x):\n    return {call}\n", 1)


def test_a_first_use_while_a_built_in_is_replaced_is_refused_and_a_later_one_works():
    text = """
        import builtins, functools
        import autograph
        original = builtins.max
        builtins.max = functools.partial(original)
        try:
            autograph.convert_source("x = 1")
        except ImportError as error:
            print(error)
        builtins.max = original
        print(autograph.convert_source("x = 1"))
    """
    printed = run_python("-c", textwrap.dedent(text))
    assert printed.startswith("the built-in function `max` is replaced while autograph is loaded")
    assert printed.endswith("x = 1\n")
