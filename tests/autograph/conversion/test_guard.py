"""Guards: functions run as written until something is traced."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import autograph
from autograph import staging
from autograph.conversion.guard import as_written, guarded, is_adopted


def adopt(*values: Any) -> None:
    with staging.tracing():
        autograph.adopt(*values)


def test_a_copy_with_other_variables_runs_as_written() -> None:
    def make(step: int) -> Any:
        class A:
            def __add__(self, other: int) -> int:
                return other + step if other > 0 else step

        return A

    first, second = make(1), make(10)
    adopt(first, second)
    taken = FunctionType(
        first.__add__.__code__, globals(), "__add__", None, second.__add__.__closure__
    )
    with staging.tracing():
        assert (first() + 1, second() + 1, taken(None, 1)) == (2, 11, 11)
    assert as_written(taken).__code__ is as_written(second.__add__).__code__


def doubled(x: int) -> int:
    return x * 2


def test_a_function_that_is_not_adopted_is_the_one_that_was_written() -> None:
    assert not is_adopted(doubled)
    assert as_written(doubled) is doubled


def test_an_adopted_function_keeps_its_written_code() -> None:
    class Number:
        value = 1

        def __neg__(self) -> int:
            return -1 if self.value > 0 else 0

    code = Number.__neg__.__code__
    adopt(Number)
    assert is_adopted(Number.__neg__)
    written = as_written(Number.__neg__)
    assert written.__code__ is code
    assert written.__qualname__ == Number.__neg__.__qualname__
    assert -Number() == -1


def test_a_function_whose_arguments_are_known_enters_nothing() -> None:
    entered: list[Any] = []
    plain = frozenset({int})
    function = guarded(doubled, lambda x: entered.append(x), plain)
    assert function(3) == 6
    assert not entered
    assert function(3.5) is None
    assert entered == [3.5]


def test_locals_are_those_of_the_program() -> None:
    def names(x: int = 1, *rest: int) -> list[str]:
        y = x
        return [*sorted(locals()), *sorted(vars()), *dir()] if y else []

    for converted in (autograph.convert()(names), autograph.to_graph(names)):
        assert converted() == converted(2, 3) == ["rest", "x", "y"] * 3
