"""Decorators of the standard library around converted functions."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

import pytest

import autograph
from tests.autograph.staged import Staged


def test_decorated_methods() -> None:
    class Local:
        def __init__(self) -> None:
            self.__k = 2

        @autograph.convert()
        def method(self, x: Any, *, __p: int = 1) -> Any:
            return (x if x > 0 else -x), self.__k, __p, super().__str__() != ""

        @autograph.convert()
        @classmethod
        def of_class(cls, x: Any) -> Any:
            return cls if x > 0 else None

        @staticmethod
        @autograph.convert(recursive=True)
        def static(x: Any) -> Any:
            return x if x > 0 else -x

    local = Local()
    for _ in range(2):
        assert local.method(-1) == (1, 2, 1, True)
        assert Local.of_class(1) is Local
        assert Local.static(-1) == 1
    local.method(Staged()), Local.of_class(Staged()), Local.static(Staged())
    assert Staged.seen == ["cond"] * 3


def test_decorated_generators_and_coroutines() -> None:
    @autograph.convert
    def numbers(n: Any) -> Any:
        got = yield n
        return got

    @autograph.convert
    async def agen(n: Any) -> Any:
        for i in range(n):
            yield i

    @autograph.convert
    async def coroutine(n: Any) -> Any:
        return [i async for i in agen(n)]

    for kind in (int, Number):
        generator = numbers(kind(3))
        assert next(generator) == 3
        with pytest.raises(StopIteration) as stopped:
            generator.send("value")
        assert stopped.value.value == "value"
        assert asyncio.run(coroutine(kind(2))) == [0, 1]
    assert inspect.isgeneratorfunction(numbers)
    assert inspect.iscoroutinefunction(coroutine) and inspect.isasyncgenfunction(agen)


class Number(int):
    """A class that no decorated function has met before."""


def test_decorated_function_under_rewritten_assertions() -> None:
    @autograph.convert()
    def checked(x: Any) -> Any:
        assert x is not None
        return 1 if x > 0 else 2

    assert [checked(1), checked(-1), checked(Staged())] == [1, 2, 1]
