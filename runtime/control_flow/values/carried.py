"""Stand-ins for lists and dicts whose contents are known only at run time."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any, NoReturn, Self

from runtime.core.errors import OperatorNotAllowedInGraphError, StagingError
from runtime.core.places import user_name
from runtime.core.tensor import Staged


class _Live(threading.local):
    def __init__(self) -> None:
        self.values: weakref.WeakValueDictionary[int, Carried] = weakref.WeakValueDictionary()


_live = _Live()


class Carried(Staged):
    """A mutable value that keeps its state in attributes with immutable values."""

    __autograph_carried__ = True
    """Staged statements carry its contents and preserve its identity."""

    represents: type
    """The Python class that it represents."""

    kind: str
    """The name of that class."""

    def __init_subclass__(cls) -> None:
        """Name the class and its methods like the represented ones, for Python's own messages."""
        cls.kind = cls.__name__ = cls.__qualname__ = cls.represents.__name__
        for name, value in vars(cls).items():
            if isinstance(value, FunctionType):
                value.__qualname__ = f"{cls.kind}.{name}"

    factory: Callable[[], Any] | None = None
    """Creates the value of a missing key on access; None: no default."""

    parted: Any = None
    """Refuses every use if set, instead of the contents."""

    held_in: str
    """The attribute that holds the contents."""

    @property
    def is_hidden(self) -> bool:
        """True if it refuses every use."""
        return self.held_in not in vars(self)

    def hide(self, parted: object) -> None:
        """Refuse every use, or clear the contents before a replacement (None)."""
        vars(self).pop(self.held_in, None)
        vars(self).pop("parted", None)
        if parted is not None:
            self.parted = parted

    @property
    def is_decided(self) -> bool:
        """True if only the running graph knows which object of the program it is."""
        return False

    def contents(self) -> Carried:
        """Return the contents in the form that statements carry."""
        return self.copy()

    def __getattr__(self, name: str) -> Any:
        """Raise the refusal if the contents are hidden."""
        if self.parted is not None:
            self.parted.refuse()
        raise AttributeError(f"{self.kind!r} object has no attribute {name!r}")

    def __autograph_type__(self) -> type:
        """Return the class for `type`."""
        return self.represents

    def __init__(self) -> None:
        """Register the object, so that changes made only by a trace are undone."""
        _live.values[id(self)] = self

    def __autograph_state__(self) -> list[Any]:
        """Return what differs after the program changed the value."""
        return [each for _, each in sorted(vars(self).items())]

    def parts(self) -> dict[Any, Any]:
        """Return the Python values in it, by key; tensors are not parts."""
        return {}

    def put_part(self, key: object, value: object) -> None:
        """Replace a part."""
        raise KeyError(key)

    def is_same(self, other: Carried) -> bool:
        """Return whether another object has identical contents."""
        now, before = vars(self), vars(other)
        return now.keys() == before.keys() and all(now[key] is before[key] for key in now)

    def as_item(self, has_moved: bool = False) -> Carried:
        """Return the value as an item of a growing list, which gets its contents."""
        return self

    def refuse_twice(self) -> None:
        """Raise StagingError if it cannot be two items of a growing list."""

    def mapped(self, function: Callable[[Any], Any]) -> Self:
        """Return a copy with a function applied to each part."""
        made = self.copy()
        for key, value in self.parts().items():
            made.put_part(key, function(value))
        return made

    def __autograph_snapshot__(self) -> Self:
        """Return another object with the same contents, to compare with and to restore."""
        made = object.__new__(type(self))
        vars(made).update(vars(self))
        Carried.__init__(made)
        return made

    def copy(self) -> Self:
        """Return another object with the same contents, as the program does."""
        return self.__autograph_snapshot__()

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return another object with the same contents: nothing in it is mutable."""
        return self.copy()

    def __hash__(self) -> int:
        """Raise, as for a list or dict."""
        raise TypeError(f"unhashable type: '{self.kind}'")

    def refuse(
        self, what: str, public: type[Exception] = TypeError, remedy: str | None = None
    ) -> NoReturn:
        """Raise the error for an operation that a graph cannot do."""
        called = user_name(self)
        subject = f"the {self.kind} `{called}`" if called else f"a {self.kind}"
        raise StagingError(
            f"{subject} {self.reason()} and {what}, which a graph cannot do.",
            public=public,
            remedy=remedy or self.remedy,
        )

    change = "grows in a staged statement"

    def reason(self) -> str:
        """Return why its contents are known only at run time, for messages."""
        return self.change

    remedy = "Use runtime.TensorArray, or a loop over Python values."

    def __len__(self) -> int:
        """Raise: the length is known only at run time."""
        self.refuse("is asked for its length by Python", OperatorNotAllowedInGraphError)

    def __array__(self, dtype: object = None, copy: bool | None = None) -> NoReturn:
        """Raise: NumPy would make an array of one object, this one."""
        self.refuse(
            "is made an array by NumPy",
            OperatorNotAllowedInGraphError,
            "Use runtime.stack, and the operations of the runtime in place of NumPy's.",
        )

    def __bool__(self) -> bool:
        """Raise: the truth is known only at run time."""
        self.refuse("is asked for its truth by Python", OperatorNotAllowedInGraphError)


@contextmanager
def restored() -> Iterator[None]:
    """Undo the changes of the code inside to these values, because it was only traced."""
    before = [(value, dict(vars(value))) for value in list(_live.values.values())]
    try:
        yield
    finally:
        for value, held in before:
            vars(value).clear()
            vars(value).update(held)
