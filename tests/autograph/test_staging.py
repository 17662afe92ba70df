"""Converted programs on the values of a library that is not ours."""

from __future__ import annotations

from typing import Any

import pytest

from autograph import staging
from tests.autograph.tiny_library import LIBRARY, Value, run


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
