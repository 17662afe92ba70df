"""Decorated functions: they run as written on plain values, and converted elsewhere."""

from __future__ import annotations

import inspect
import threading
from types import FunctionType
from typing import Any

import pytest

import autograph
from autograph import StaleSourceError, staging
from tests.autograph.staged import Staged


@pytest.fixture(autouse=True)
def nothing_staged() -> None:
    Staged.seen.clear()


@autograph.convert()
def decorated(x: Any, y: Any = 1) -> Any:
    """Doc."""
    if x > 0:
        return x
    return y


def test_decorated_function_runs_as_written_on_plain_values() -> None:
    assert [decorated(2), decorated(-2), decorated(-2, y=5)] == [2, 1, 5]
    assert Staged.seen == []
    assert (decorated.__name__, decorated.__doc__) == ("decorated", "Doc.")
    assert str(inspect.signature(decorated)) == "(x: 'Any', y: 'Any' = 1) -> 'Any'"
    assert inspect.getsource(decorated).startswith("@autograph.convert()")
    assert isinstance(decorated, FunctionType)


def test_decorated_function_stages_an_argument_of_an_unknown_library() -> None:
    decorated(1)
    decorated(Staged())
    assert Staged.seen == ["cond"]
    decorated(-1, Staged())
    assert Staged.seen == ["cond"]


def test_decorated_function_runs_converted_while_something_is_traced() -> None:
    hidden = Staged()

    @autograph.convert
    def captures() -> Any:
        if hidden > 0:
            return 1
        return 2

    with pytest.raises(TypeError, match="no truth"):
        captures()
    with staging.tracing():
        assert captures() == 1
    assert Staged.seen == ["cond"]
    with pytest.raises(TypeError, match="no truth"):
        captures()


def test_every_kind_of_parameter_is_looked_at() -> None:
    @autograph.convert()
    def f(a: Any, /, b: Any = 0, *rest: Any, k: Any = 0, **more: Any) -> Any:
        values = [a, b, *rest, k, *more.values()]
        for value in values:
            if type(value) is Staged and value > 0:
                return "staged"
        return values

    assert f(1, 2, 3, 4, k=5, z=6) == [1, 2, 3, 4, 5, 6]
    for args, kwargs in [
        ((Staged(),), {}),
        ((1, Staged()), {}),
        ((1, 2, 3, Staged()), {}),
        ((1,), {"k": Staged()}),
        ((1,), {"z": Staged()}),
    ]:
        assert f(*args, **kwargs) == "staged"
    assert Staged.seen == ["cond"] * 5
    assert f(1, 2, 3, 4, k=5, z=6) == [1, 2, 3, 4, 5, 6]


def test_decorated_function_whose_code_was_replaced_is_an_error() -> None:
    @autograph.convert()
    def f(x: Any) -> Any:
        return 1 if x > 0 else 2

    f.__code__ = f.__code__.replace()
    assert f(1) == 1
    with pytest.raises(StaleSourceError, match="f was replaced after it was decorated"):
        f(Staged())


def test_decorated_recursion_and_sharing_of_cells() -> None:
    total = 0

    @autograph.convert()
    def count(n: Any) -> Any:
        nonlocal total
        total += 1
        if n > 0:
            return count(n - 1)
        return total

    assert count(3) == 4 == total
    with staging.tracing():
        assert count(3) == 8 == total


def test_threads_that_call_while_another_traces() -> None:
    stop = threading.Event()
    wrong: list[Any] = []

    def call() -> None:
        while not stop.is_set():
            if decorated(3) != 3 or decorated(-3) != 1:
                wrong.append("value")

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(50):
        with staging.tracing():
            assert decorated(3) == 3
            assert not staging.plain_types
    stop.set()
    for thread in threads:
        thread.join()
    assert wrong == []
