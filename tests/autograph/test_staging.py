"""Converted programs on the values of a library that is not ours."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

import autograph
from autograph import staging
from tests.autograph.tiny_library import LIBRARY, Value


@pytest.fixture(autouse=True)
def _nothing_staged_yet() -> Iterator[None]:
    LIBRARY.staged.clear()
    yield


def run(text: str, *args: Any) -> Any:
    """Calls the converted function `f` of a text; a Value comes back as what it holds."""
    function = autograph.to_graph(autograph.exec(text)["f"])
    return unwrapped(function(*args))


def unwrapped(result: Any) -> Any:
    if isinstance(result, Value):
        return result.held
    if isinstance(result, tuple | list):
        return type(result)(map(unwrapped, result))
    return result


def test_the_branches_of_an_if_start_from_the_same_variables() -> None:
    text = """
def f(x, y):
    if x > 0:
        y = y + 1
        z = y
    else:
        z = y
    return y, z
"""
    assert run(text, Value(1), Value(10)) == (11, 11)
    assert run(text, Value(-1), Value(10)) == (10, 10)
    assert LIBRARY.staged == ["cond y, z, return value"] * 2


def test_branches_that_return_give_one_more_output() -> None:
    text = """
def f(x):
    if x > 0:
        return x
    return 0
"""
    assert (run(text, Value(3)), run(text, Value(-3))) == (3, 0)
    assert LIBRARY.staged == ["cond return value"] * 2


def test_a_chain_is_staged_from_the_first_staged_test_on() -> None:
    text = """
def f(n, x):
    if n == 0:
        y = 0
    elif x > 5:
        y = 1
    elif x > 2:
        y = 2
    else:
        y = 3
    return y
"""
    assert [run(text, 1, Value(v)) for v in (6, 3, 1)] == [1, 2, 3]
    LIBRARY.staged.clear()
    assert run(text, 0, Value(6)) == 0
    assert LIBRARY.staged == []


def test_a_loop_is_staged_from_the_iteration_on_in_which_its_test_is() -> None:
    text = """
def f(x, limit):
    n = 0
    while n < limit:
        limit = x
        n += 1
    return n
"""
    assert run(text, Value(5), 2) == 5
    assert LIBRARY.staged == ["while limit, n"]


def test_a_test_that_assigns_is_evaluated_as_often_as_in_python() -> None:
    text = """
def f(x, log):
    n = 0
    while (x := x // 2) > 0:
        log.append(n)
        n = n + 1
    return n, x
"""
    log: list[int] = []
    assert run(text, Value(20), log) == (4, 0)
    assert LIBRARY.staged[-1].startswith("while loop test, ")


def test_a_for_loop_over_staged_items_breaks() -> None:
    text = """
def f(xs):
    total = 0
    for x in xs:
        if x > 3:
            break
        total = total + x
    return total
"""
    assert run(text, Value([1, 2, 9, 4])) == 3
    assert LIBRARY.staged[0] == "for total, do_break"


def test_python_items_with_a_staged_break_run_the_rest_under_a_condition() -> None:
    text = """
def f(x):
    n = 0
    for i in range(5):
        if x > i:
            n += i
        else:
            break
    return n
"""
    assert run(text, Value(3)) == 3


def test_a_return_in_a_staged_loop_leaves_it() -> None:
    text = """
def f(xs):
    for x in xs:
        if x > 2:
            return x
    return -1
"""
    assert run(text, Value([1, 5, 9])) == 5
    assert run(text, Value([1])) == -1


def test_lists_and_dicts_are_put_back_before_each_branch() -> None:
    text = """
def f(x, items, table):
    if x > 0:
        items.append(1)
        table['k'] = 'if'
    else:
        items.append(2)
        items.append(3)
        table['k'] = 'else'
    return items, table['k']
"""
    items: list[int] = []
    assert run(text, Value(-1), items, {"k": 0}) == ([2, 3], "else")
    assert items == [2, 3]


def test_attributes_are_state() -> None:
    text = """
def f(x, point):
    if x > 0:
        point.y = point.y + x
    return point.y
"""
    assert run(text, Value(-2), SimpleNamespace(y=1)) == 1
    assert run(text, Value(2), SimpleNamespace(y=1)) == 3
    traced_to_find_it = ["cond return value"]
    assert LIBRARY.staged == [*traced_to_find_it, "cond point.y, return value"] * 2


def test_a_branch_that_raises_raises_when_the_program_takes_it() -> None:
    text = """
def f(x):
    if x < 0:
        raise KeyError('negative')
    return x
"""
    assert run(text, Value(1)) == 1
    with pytest.raises(KeyError, match="negative"):
        run(text, Value(-1))


def test_an_error_while_staging_puts_the_variables_back() -> None:
    text = """
def f(x, point):
    if x > 0:
        point.y = 5
        stop()
"""
    point = SimpleNamespace(y=1)
    space = autograph.exec(text)

    def stop() -> None:
        raise autograph.StagingError("no")

    space["stop"] = stop
    with pytest.raises(TypeError, match="no"):
        autograph.to_graph(space["f"])(Value(1), point)
    assert point.y == 1


def test_logic_is_delayed() -> None:
    text = """
def f(x, y, xs):
    both = x > 0 and len(xs)
    either = x > 0 or len(xs)
    return both, either, not x > 0, 0 < x < y, x in [y]
"""
    assert run(text, Value(0), Value(1), Value([5])) == (False, 1, True, False, False)
    assert LIBRARY.staged == ["and", "or", "len", "not", "and", "in"]


@pytest.mark.parametrize("operator", ["and", "or"])
def test_an_operand_changes_what_it_changes_only_where_it_runs(operator: str) -> None:
    text = f"def f(x, log):\n    return x > 0 {operator} log.append(1)\n"
    for x, runs in ((1, operator == "and"), (0, operator == "or")):
        log = [0]
        run(text, Value(x), log)
        assert log == ([0, 1] if runs else [0])


def test_conditional_expressions() -> None:
    text = "def f(x):\n    return (1 if x > 0 else 2) + (3 if x is None else 4)\n"
    assert (run(text, Value(1)), run(text, Value(-1))) == (5, 6)


def test_assertions_fail_when_the_program_runs() -> None:
    text = "def f(x):\n    assert x > 0, 'not positive'\n    return x\n"
    assert run(text, Value(1)) == 1
    with pytest.raises(AssertionError, match="when it ran: not positive"):
        run(text, Value(-1))


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


def test_items_are_assigned_to_a_new_value() -> None:
    text = "def f(xs, ys):\n    xs[0] = 7\n    ys[0] = 7\n    xs[1] += 1\n    return xs, ys\n"
    ys = [0, 0]
    assert run(text, Value([1, 2]), ys) == ([7, 3], [7, 0])
    assert ys == [7, 0]


def test_options_reach_the_loop() -> None:
    text = """
from autograph.experimental import set_loop_options
def f(x):
    while x > 0:
        set_loop_options(maximum_iterations=3)
        x = x - 1
    return x
"""
    assert run(text, Value(2)) == 0
    assert LIBRARY.staged == ["while x {'maximum_iterations': 3}"]


def test_callees_are_converted() -> None:
    text = """
def sign(x):
    if x > 0:
        return 1
    return -1
class Scale:
    def __init__(self, by):
        self.by = sign(by)
    def __call__(self, x):
        if x > 0:
            return self.by
        return 0
def f(x):
    return sign(x) + Scale(x)(x) + (lambda v: 10 if v > 0 else 20)(x)
"""
    assert run(text, Value(1)) == 12
    assert run(text, Value(-1)) == 19


def test_do_not_convert_keeps_a_callee_in_python() -> None:
    text = """
import autograph
@autograph.do_not_convert
def sign(x):
    return 1 if x > 0 else -1
def f(x):
    return sign(x)
"""
    with pytest.raises(TypeError, match="known only when the program runs"):
        run(text, Value(1))


def test_plain_values_stage_nothing() -> None:
    text = """
def f(xs):
    best = None
    for x in xs:
        if best is None or x > best:
            best = x
    return best
"""
    assert run(text, [3, 9, 4]) == 9
    assert LIBRARY.staged == []


def test_a_library_for_a_class_that_cannot_be_changed() -> None:
    class Foreign:
        def __init__(self, held: bool) -> None:
            self.held = held

    class Registered(type(LIBRARY)):  # type: ignore[misc]
        pass

    library = Registered()
    assert staging.library_of(Foreign(True)) is None
    staging.register(Foreign, library)
    assert staging.library_of(Foreign(True)) is library
    text = "def f(x):\n    if x:\n        return 1\n    return 2\n"
    assert run(text, Foreign(False)) == 2
    assert library.staged == ["cond return value"]


def test_a_class_can_refuse_to_be_staged() -> None:
    class Plain(Value):
        __autograph_staging__ = None

        def __bool__(self) -> bool:
            return bool(self.held)

    text = "def f(x):\n    return 1 if x else 2\n"
    assert run(text, Plain(0)) == 2
    assert LIBRARY.staged == []


def test_recursion_without_end_is_refused_at_once() -> None:
    text = """
def f(n):
    if n <= 0:
        return n
    return f(n - 1) + f(n - 2)
"""
    with pytest.raises(RecursionError, match="nested 100 deep"):
        run(text, Value(3))


class Strict(type(LIBRARY)):  # type: ignore[misc]
    """A library that answers to no name but those of its methods."""

    def __getattr__(self, name: str) -> Any:
        raise NotImplementedError(name)


class OfStrict(Value):
    __autograph_staging__ = Strict()

    def __gt__(self, other: Any) -> OfStrict:
        return OfStrict(self.held > other)

    def __add__(self, other: Any) -> OfStrict:
        return OfStrict(self.held + other)


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("def f(x):\n    if x > 0:\n        return 1\n    return 2\n", 1),
        ("def f(x):\n    return 1 if x > 0 else 2\n", 1),
        ("def f(x):\n    if x > 5:\n        raise ValueError\n    return 2\n", 2),
        ("def f(x):\n    return x is True\n", False),
        ("def f(x):\n    return x > 0 and x > 5\n", False),
        ("def f(x):\n    for _ in range(9):\n        x = x if x > 3 else x\n    return x\n", 3),
    ],
)
def test_what_a_library_need_not_have_is_not_asked_of_it(text: str, result: Any) -> None:
    assert run(text, OfStrict(3)) == result


def test_what_a_library_lacks_is_refused_by_name() -> None:
    for line in ('f"{x}"', "[1, 2][x]"):
        with pytest.raises(TypeError, match=r"OfStrict|tiny"):
            run(f"def f(x):\n    return {line}\n", OfStrict(3))
