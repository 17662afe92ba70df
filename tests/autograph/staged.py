"""A value of a library that notes what is staged."""

from __future__ import annotations

from typing import Any


class Staged:
    """A value of a library that notes what is staged on it, and takes the first branch."""

    seen: list[str] = []

    class Library:
        name = "noting"

        def stages(self, value: Any) -> bool:
            return True

        def cond(self, test: Any, if_fn: Any, else_fn: Any, names: Any) -> Any:
            Staged.seen.append("cond")
            return if_fn()

        def __getattr__(self, name: str) -> Any:
            raise NotImplementedError(name)

    __autograph_staging__ = Library()

    def __gt__(self, other: Any) -> Staged:
        return self

    def __neg__(self) -> Staged:
        return self

    def __bool__(self) -> bool:
        raise TypeError("no truth before the program runs")
