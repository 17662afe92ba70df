"""The stand-in for a dict whose keys are known only at run time, among a known set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, NoReturn

from autograph.operators.logic import if_exp
from autograph.operators.moved import resolve
from runtime.control_flow.values.carried import Carried
from runtime.control_flow.values.forms import Form, Formed, FormOf, Keyed
from runtime.core import dtypes
from runtime.core.handlers import refuse_handled
from runtime.core.tensor import Tensor, TensorLike, is_operand
from runtime.ops.base.convert import cast_to, convert_to_tensor, weakened
from runtime.ops.effects.output import raise_when
from runtime.ops.items.selecting import where
from runtime.ops.math.arithmetic import add_n
from runtime.ops.math.elementwise import logical_not
from runtime.ops.math.logic import logical_or


@dataclass(frozen=True)
class Entry:
    """One possible key of a dict.

    Attributes:
      value: the value, or placeholders if the key is absent.
      present: whether the key is present: a bool or a bool tensor.
      rank: the sort key of the insertion order: an int or an int32 tensor.
    """

    value: Any
    present: TensorLike
    rank: TensorLike


def _is_same_entry(one: Entry, other: Entry) -> bool:
    names = ("value", "present", "rank")
    return all(getattr(one, name) is getattr(other, name) for name in names)


class PartialDict(Carried, Formed):
    """A dict whose possible keys are known during tracing, and its keys at run time.

    It supports access by key; operations on all of its keys raise. A function returns it as a
    Python dict.

    Args:
      entries: the possible entries, by key.
      following: the rank of the next new key.
    """

    represents = dict
    asked = "is asked for all of its keys"
    held_in = "entries"
    remedy = "Read and write it by its keys, or give it all of them before the statement."

    def __init__(self, entries: Mapping[Any, Entry], following: TensorLike) -> None:
        self.entries = dict(entries)
        self.following = following
        super().__init__()

    @classmethod
    def of(cls, value: Mapping[Any, Any]) -> PartialDict:
        """Return the stand-in for a dict."""
        entries = {key: Entry(item, True, rank) for rank, (key, item) in enumerate(value.items())}
        return cls(entries, len(entries))

    def form(self, form_of: FormOf) -> Form:
        """Return the form: that of each value it may hold, by key."""
        parts = tuple(form_of(entry.value) for entry in self.entries.values())
        return Keyed(tuple(self.entries), parts)

    def parts(self) -> dict[Any, Any]:
        """Return the values of all possible keys."""
        entries = {} if self.parted else self.entries
        return {key: entry.value for key, entry in entries.items()}

    def is_same(self, other: Carried) -> bool:
        """Return whether another object has identical entries."""
        if self.is_hidden or other.is_hidden or not isinstance(other, PartialDict):
            return super().is_same(other)
        pairs = zip(self.entries.items(), other.entries.items(), strict=False)
        return (
            len(self.entries) == len(other.entries)
            and self.following is other.following
            and all(key == known and _is_same_entry(own, old) for (key, own), (known, old) in pairs)
        )

    def put(self, key: object, value: object) -> None:
        """Replace the value of an entry."""
        self.entries = {**self.entries, key: replace(self.entries[key], value=value)}

    # ---- reading ----

    def size(self) -> Tensor:
        """Return the number of keys, an int32 scalar."""
        present = [cast_to(self.holds(key), dtypes.int32) for key in self.entries]
        return weakened(add_n([convert_to_tensor(0), *present]))

    def any(self) -> Tensor:
        """Return whether there is a key."""
        return reduce(logical_or, map(self.holds, self.entries), convert_to_tensor(False))

    def holds(self, key: object) -> Tensor:
        """Return whether a key is present."""
        entry = self._entry(key)
        return convert_to_tensor(False if entry is None else entry.present)

    def _entry(self, key: object) -> Entry | None:
        if is_operand(key):
            self.refuse("is asked for a key that is a tensor")
        return self.entries.get(key)

    def __getitem__(self, key: object) -> Any:
        """Return the value of a key. Raises KeyError, at run time if the keys are not known
        before.
        """
        entry = self._entry(key)
        if entry is None:
            raise KeyError(key)
        if entry.present is not True:
            refuse_handled(KeyError(key), "Use get() with a default.")
            raise_when(logical_not(entry.present), KeyError(key))
        return entry.value

    def get(self, key: object, default: object = None) -> Any:
        """Return the value of a key, or the default."""
        entry = self._entry(key)
        if entry is None or entry.present is True:
            return default if entry is None else entry.value
        value = resolve(entry.value)
        if isinstance(value, _CONTAINERS):
            self.refuse(
                f"is asked for the {_word(value)} under the key {key!r}, or for something else",
                remedy=f"Test `{key!r} in` it first.",
            )
        return if_exp(entry.present, lambda: value, lambda: default)

    # ---- changing ----

    def _with(self, key: object, entry: Entry | None) -> None:
        entries = {other: each for other, each in self.entries.items() if other != key}
        self.entries = entries if entry is None else {**self.entries, key: entry}

    def __setitem__(self, key: object, value: object) -> None:
        """Replace the value of a key, or insert the key after the others."""
        entry = self._entry(key)
        rank = self.following if entry is None else where(entry.present, entry.rank, self.following)
        self._with(key, Entry(value, True, rank))
        self.following = convert_to_tensor(self.following) + 1

    def __delitem__(self, key: object) -> None:
        """Remove a key. Raises KeyError, at run time if the keys are not known before."""
        self.pop(key)

    def pop(self, key: object, *default: object) -> Any:
        """Remove a key and return its value, or the default."""
        value = self.get(key, *default) if default else self[key]
        self._with(key, None)
        return value

    def setdefault(self, key: object, default: object = None) -> Any:
        """Return the value of a key, which becomes the default if the key is absent."""
        entry = self._entry(key)
        if entry is None:
            self[key] = default
        elif entry.present is not True:
            value = self.get(key, default)
            rank = where(entry.present, entry.rank, self.following)
            self._with(key, Entry(value, True, rank))
            self.following = convert_to_tensor(self.following) + 1
        return self.entries[key].value

    def update(self, other: Any = (), /, **more: Any) -> None:
        """Insert the items of another dict."""
        for key, value in {**dict(other), **more}.items():
            self[key] = value

    def clear(self) -> None:
        """Remove all keys."""
        self.entries = {}

    def __ior__(self, other: object) -> PartialDict:  # type: ignore[misc]
        self.update(other)
        return self

    # ---- what only the running graph knows ----

    def __contains__(self, key: object) -> bool:
        """Return whether a key is present, if that is known; raise otherwise."""
        entry = self._entry(key)
        if entry is None or entry.present is True:
            return entry is not None
        self.refuse(
            f"is asked for {key!r} by Python",
            remedy="Write the test in code that is converted, for a dict by get() with a default.",
        )

    def __iter__(self) -> Iterator[Any]:
        """Raise: the keys are known only at run time."""
        self.refuse(self.asked)

    def _all(self, *_: object, **__: object) -> NoReturn:
        self.refuse(self.asked)

    keys = values = items = popitem = _all
    __reversed__ = _all

    def _compared(self, *_: object) -> NoReturn:
        self.refuse("is compared or joined with another one")

    __eq__ = __ne__ = _compared
    __or__: Any = _compared
    __ror__: Any = _compared
    __hash__ = Carried.__hash__

    def __repr__(self) -> str:
        return f"<{self.kind} that may have the keys {list(self.entries)}>"


_CONTAINERS = (list, dict, set, Carried)


def _word(value: object) -> str:
    """Return the name of the class that a program sees."""
    return value.kind if isinstance(value, Carried) else type(value).__name__
