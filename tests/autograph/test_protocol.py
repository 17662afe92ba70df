"""What a library defines of the protocol, and what it may leave out."""

from __future__ import annotations

from typing import Any

import pytest

from tests.autograph.tiny_library import LIBRARY, Value, run


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
