"""Converted programs on the values of a library that is not ours."""

from __future__ import annotations

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
