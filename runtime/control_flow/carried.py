"""Mutable values that represent lists and dicts of which only a running graph knows the length."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn, Self

from runtime.core.errors import OperatorNotAllowedInGraphError, StagingError
from runtime.core.places import user_name


class _Live(threading.local):
    def __init__(self) -> None:
        self.values: weakref.WeakValueDictionary[int, Carried] = weakref.WeakValueDictionary()


_live = _Live()


class Carried:
    """A mutable value whose attributes are all that it holds; each of them is never changed."""

    __autograph_carried__ = True
    """Staged statements carry what it holds, and leave it the same object."""

    represents: type
    """The class that the program takes it for."""

    kind: str
    """The name of that class."""

    def __init_subclass__(cls) -> None:
        """Have Python's own messages call the instances what a program calls them."""
        cls.kind = cls.__name__ = cls.__qualname__ = cls.represents.__name__

    factory: Callable[[], Any] | None = None
    """What makes the value of a key that is read and absent; None: nothing does."""

    parted: Any = None
    """What refuses every use, in place of what it holds; None: it is used as usual."""

    held_in: str
    """The attribute with what it holds."""

    @property
    def is_hidden(self) -> bool:
        """Whether it refuses every use."""
        return self.held_in not in vars(self)

    def hide(self, parted: Any) -> None:
        """Refuses every use, or, for None, is about to hold something else."""
        vars(self).pop(self.held_in, None)
        vars(self).pop("parted", None)
        if parted is not None:
            self.parted = parted

    def contents(self) -> Carried:
        """What it holds, as statements carry it."""
        return self.copy()

    def __getattr__(self, name: str) -> Any:
        """Refuses a use."""
        if self.parted is not None:
            self.parted.refuse()
        raise AttributeError(f"{self.kind!r} object has no attribute {name!r}")

    def __autograph_type__(self) -> type:
        """The class that `type` returns."""
        return self.represents

    def __init__(self) -> None:
        """Has what only traced code does to it undone."""
        _live.values[id(self)] = self

    def parts(self) -> dict[Any, Any]:
        """The Python values that it holds, by key; those that are tensors are no parts."""
        return {}

    def put(self, key: Any, value: Any) -> None:
        """Replaces a part."""
        raise KeyError(key)

    def is_same(self, other: Carried) -> bool:
        """Whether another object holds the very same."""
        now, before = vars(self), vars(other)
        return now.keys() == before.keys() and all(now[key] is before[key] for key in now)

    def mapped(self, function: Callable[[Any], Any]) -> Self:
        """A copy with a function applied to each part."""
        made = self.copy()
        for key, value in self.parts().items():
            made.put(key, function(value))
        return made

    def copy(self) -> Self:
        """Another object that holds the same."""
        made = object.__new__(type(self))
        vars(made).update(vars(self))
        Carried.__init__(made)
        return made

    def __copy__(self) -> Self:
        """Another object that holds the same."""
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Another object that holds the same: nothing in it is ever changed."""
        return self.copy()

    def __hash__(self) -> int:
        """Refuses, as a list or dict does."""
        raise TypeError(f"unhashable type: '{self.kind}'")

    def refuse(
        self, what: str, public: type[Exception] = TypeError, remedy: str | None = None
    ) -> NoReturn:
        """Raises the error for what a graph cannot do."""
        called = user_name(self)
        subject = f"the {self.kind} `{called}`" if called else f"a {self.kind}"
        raise StagingError(
            f"{subject} grows in a staged statement and {what}, which a graph cannot do.",
            public=public,
            remedy=remedy or self.remedy,
        )

    remedy = "Use runtime.TensorArray, or a loop over Python values."

    def __len__(self) -> int:
        """Refuses: the length is known when the graph runs."""
        self.refuse("is asked for its length by Python", OperatorNotAllowedInGraphError)

    def __bool__(self) -> bool:
        """Refuses: the truth is known when the graph runs."""
        self.refuse("is asked for its truth by Python", OperatorNotAllowedInGraphError)


@contextmanager
def restored() -> Iterator[None]:
    """Undoes, at the end, what code inside did to such values: it was only traced."""
    before = [(value, dict(vars(value))) for value in list(_live.values.values())]
    try:
        yield
    finally:
        for value, held in before:
            vars(value).clear()
            vars(value).update(held)
