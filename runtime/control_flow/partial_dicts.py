"""The dict of which only a running graph knows which of its keys it has."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, NoReturn

from autograph.operators.aliases import before_change, link, note_choice, refuse_uses
from autograph.operators.frames import user_line
from autograph.operators.logic import if_exp
from autograph.operators.moved import changed_elsewhere, resolve
from runtime.control_flow.carried import Carried
from runtime.core import dtypes
from runtime.core.handlers import refuse_handled
from runtime.core.places import user_name
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.comparison import logical_or
from runtime.ops.convert import cast_to, convert_to_tensor, weakened
from runtime.ops.elementwise import logical_not
from runtime.ops.output import raise_when
from runtime.ops.selecting import where
from runtime.ops.sums import add_n

Choose = Callable[..., tuple[Any, ...]]
_bound: list[Choose] = []


def bind_choice(choose: Choose) -> None:
    """Says how one of two values is chosen; called once, by the module of `cond`."""
    _bound.append(choose)


@dataclass(frozen=True)
class Entry:
    """What a dict may hold under one key.

    Attributes:
      value: the value, or placeholders where there is none.
      present: whether there is one: a bool or a bool tensor.
      rank: entries are in the order of their ranks: an int or an int32 tensor.
      owned: whether no other name leads to the value where the key is absent.
    """

    value: Any
    present: TensorLike
    rank: TensorLike
    owned: bool = True


class PartialDict(Carried):
    """A dict whose possible keys are known while tracing; which it has, when the graph runs.

    It is read and changed by keys. What asks for all of its keys is refused by name. Returned from
    a function it is a Python dict.

    Args:
      entries: for each key what the dict may hold.
      following: the rank of a key that comes next.
    """

    represents: type = dict
    held_in = "entries"
    remedy = "Read and write it by its keys, or give it all of them before the statement."
    plain: type[dict[Any, Any]] = dict

    def __init__(self, entries: Mapping[Any, Entry], following: TensorLike) -> None:
        """Holds the entries."""
        self.entries = dict(entries)
        self.following = following
        super().__init__()

    @classmethod
    def of(cls, value: Mapping[Any, Any]) -> PartialDict:
        """The same as a dict."""
        entries = {key: Entry(item, True, rank) for rank, (key, item) in enumerate(value.items())}
        return cls(entries, len(entries))

    @property
    def sort(self) -> Sort:
        """The class of Python's that it represents."""
        return Sort(self.plain, self.factory)

    def stand_in(self, owner: Any) -> PartialDict | None:
        """The same for a dict of the class of `owner`; None for a class of the program."""
        if not gains_keys(type(owner)):
            return None
        return Sort.of(owner).partial(self.entries, self.following)

    def parts(self) -> dict[Any, Any]:
        """The values, whether the keys are present or not."""
        entries = {} if self.parted else self.entries
        return {key: entry.value for key, entry in entries.items()}

    def put(self, key: Any, value: Any) -> None:
        """Replaces the value of an entry."""
        self.entries = {**self.entries, key: replace(self.entries[key], value=value)}

    # ---- reading ----

    def size(self) -> Tensor:
        """The number of keys, int32."""
        present = [cast_to(self.holds(key), dtypes.int32) for key in self.entries]
        return weakened(add_n([convert_to_tensor(0), *present]))

    def any(self) -> Tensor:
        """Whether there is a key."""
        return reduce(logical_or, map(self.holds, self.entries), convert_to_tensor(False))

    def holds(self, key: Any) -> Tensor:
        """Whether there is a value under a key."""
        entry = self._entry(key)
        return convert_to_tensor(False if entry is None else entry.present)

    def _entry(self, key: Any) -> Entry | None:
        if isinstance(key, Tensor) or hasattr(type(key), "__tf_tensor__"):
            self.refuse("is asked for a key that is a tensor")
        return self.entries.get(key)

    def __getitem__(self, key: Any) -> Any:
        """The value under a key. Raises KeyError, at the latest when the graph runs."""
        entry = self._entry(key)
        if entry is None:
            raise KeyError(key)
        if entry.present is not True:
            refuse_handled(KeyError(key), "Use get() with a default.")
            raise_when(logical_not(entry.present), KeyError(key))
        return entry.value

    def get(self, key: Any, default: Any = None) -> Any:
        """The value under a key, or the default."""
        entry = self._entry(key)
        if entry is None or entry.present is True:
            return default if entry is None else entry.value
        value = resolve(entry.value)
        if isinstance(default, _CONTAINERS) and isinstance(value, _CONTAINERS):
            chosen = if_exp(entry.present, lambda: value.copy(), lambda: default.copy())
            note_choice(f"{user_name(self) or self.kind}.get({key!r})", (value, default), chosen)
            return chosen
        if isinstance(value, _CONTAINERS):
            self.refuse(
                f"is asked for the {_word(value)} under the key {key!r}, or for something else",
                remedy=f"Give a {_word(value)} as the default, or test `{key!r} in` it first.",
            )
        names = (f"get({key!r})",)
        return _bound[0](entry.present, lambda: (entry.value,), lambda: (default,), names)[0]

    # ---- changing ----

    def _with(self, key: Any, entry: Entry | None) -> None:
        entries = {other: each for other, each in self.entries.items() if other != key}
        self.entries = entries if entry is None else {**self.entries, key: entry}

    def __setitem__(self, key: Any, value: Any) -> None:
        """Replaces the value under a key, or adds the key after the others."""
        entry = self._entry(key)
        rank = self.following if entry is None else where(entry.present, entry.rank, self.following)
        self._with(key, Entry(value, True, rank))
        self.following = convert_to_tensor(self.following) + 1

    def __delitem__(self, key: Any) -> None:
        """Takes a key out. Raises KeyError, at the latest when the graph runs."""
        self.pop(key)

    def pop(self, key: Any, *default: Any) -> Any:
        """Takes a key out and returns its value, or the default."""
        value = self.get(key, *default) if default else self[key]
        self._with(key, None)
        return value

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """The value under a key, which becomes the default if there is none."""
        entry = self._entry(key)
        value = self._settled(key, lambda: default)
        if entry is not None and value is not default:
            _part_from(default, value)
        return value

    def _settled(self, key: Any, make: Callable[[], Any]) -> Any:
        """The value under a key, which gets what a function returns if there is none."""
        entry = self._entry(key)
        if entry is None:
            self[key] = make()
        elif entry.present is not True:
            absent = logical_not(entry.present)
            if_exp(absent, self._filling(key, entry, make), _nothing)
            rank = where(entry.present, entry.rank, self.following)
            self._with(key, Entry(self.entries[key].value, True, rank))
            self.following = convert_to_tensor(self.following) + 1
        return self.entries[key].value

    def _filling(self, key: Any, entry: Entry, make: Callable[[], Any]) -> Callable[[], None]:
        """A branch that gives an absent key a value; a list or dict keeps its identity."""
        value: Any = resolve(entry.value)
        if not isinstance(value, _CONTAINERS):
            return lambda: self.__setitem__(key, make())
        if not entry.owned:
            self.refuse(
                f"may get another object under the key {key!r} than the {_word(value)} that it had",
                remedy=f"Empty the {_word(value)} in place of taking the key out.",
            )

        def fill() -> None:
            items = make()
            if _word(items) != _word(value):
                self.refuse(f"has a {_word(value)} under the key {key!r}, or gets a {_word(items)}")
            before_change(value)
            value.clear()
            add = value.update if isinstance(value, dict | PartialDict) else value.extend
            add(items)

        return fill

    def update(self, other: Any = (), /, **more: Any) -> None:
        """Takes over the items of another dict."""
        for key, value in {**dict(other), **more}.items():
            self[key] = value

    def clear(self) -> None:
        """Takes all keys out."""
        self.entries = {}

    def __ior__(self, other: Any) -> PartialDict:  # type: ignore[misc]
        """Takes over the items of another dict."""
        self.update(other)
        return self

    # ---- what only the running graph knows ----

    def __contains__(self, key: Any) -> bool:
        """Whether there is a value under a key, if that is known. Refuses otherwise."""
        entry = self._entry(key)
        if entry is None or entry.present is True:
            return entry is not None
        self.refuse(f"is asked by Python whether it has the key {key!r}: use get({key!r}, default)")

    def __iter__(self) -> Iterator[Any]:
        """Refuses."""
        self.refuse("is asked for all of its keys")

    def _all(self, *_: Any, **__: Any) -> NoReturn:
        self.refuse("is asked for all of its keys")

    keys = values = items = popitem = _all
    __reversed__ = _all

    def _compared(self, *_: Any) -> NoReturn:
        self.refuse("is compared or joined with another one")

    __eq__ = __ne__ = _compared
    __or__: Any = _compared
    __ror__: Any = _compared
    __hash__ = Carried.__hash__

    def __repr__(self) -> str:
        """Show the keys that it may have."""
        return f"<{self.kind} that may have the keys {list(self.entries)}>"


_CONTAINERS = (list, dict, Carried)


def _word(value: Any) -> str:
    """The class that a program takes a value for."""
    return value.kind if isinstance(value, Carried) else type(value).__name__


def _nothing() -> None:
    """The branch of a key that is present."""


def _part_from(default: Any, value: Any) -> None:
    """Has a list or dict refuse its uses, which is perhaps the value under a key from now on."""
    label = user_name(default) or "the default"
    if isinstance(default, list | dict):
        refuse_uses(default, changed_elsewhere(label, user_line()))
    elif isinstance(default, Carried):
        link(value, default, label, user_line())


class PartialCounter(PartialDict):
    """A `Counter`: what is not there counts zero."""

    represents = Counter
    plain = Counter

    def __getitem__(self, key: Any) -> Any:
        """How often a key is counted."""
        return self.get(key, 0)

    def __delitem__(self, key: Any) -> None:
        """Takes a key out, if it is there."""
        self._with(key, None)

    def update(self, other: Any = (), /, **more: Any) -> None:
        """Adds the counts of another one, or counts keys."""
        for key, count in Counter(other, **more).items():
            self[key] += count

    def subtract(self, other: Any = (), /, **less: Any) -> None:
        """Subtracts the counts of another one, or of keys."""
        for key, count in Counter(other, **less).items():
            self[key] -= count

    def total(self) -> Tensor:
        """The sum of the counts."""
        return add_n(
            [convert_to_tensor(0), *map(convert_to_tensor, map(self.__getitem__, self.entries))]
        )

    most_common = elements = PartialDict._all
    __add__ = __radd__ = __sub__ = __rsub__ = __and__ = __rand__ = PartialDict._compared
    __iadd__ = __isub__ = __iand__ = __pos__ = __neg__ = PartialDict._compared


class PartialDefaultDict(PartialDict):
    """A `defaultdict`: reading a key adds it."""

    represents = defaultdict
    plain = defaultdict

    def __getitem__(self, key: Any) -> Any:
        """The value under a key, which becomes what the factory makes if there is none."""
        return (
            super().__getitem__(key) if self.factory is None else self._settled(key, self.factory)
        )


class PartialOrderedDict(PartialDict):
    """An `OrderedDict`, of which a key can be moved to the end."""

    represents = OrderedDict
    plain = OrderedDict

    def move_to_end(self, key: Any, last: bool = True) -> None:
        """Moves a key after all others. Raises KeyError, when the graph runs, if there is none."""
        if last is not True:
            self.refuse("moves a key before all others")
        self[key] = self.pop(key)


PARTIAL_DICTS = (PartialDict, PartialCounter, PartialDefaultDict, PartialOrderedDict)
"""The dicts of which only the running graph knows the keys."""

_CLASSES: dict[type, type[PartialDict]] = {each.plain: each for each in PARTIAL_DICTS}


def gains_keys(kind: type) -> bool:
    """Whether only the running graph may know which keys a dict of a class has."""
    return kind in _CLASSES


@dataclass(frozen=True)
class Sort:
    """A class of dicts of Python's.

    Attributes:
      plain: the class.
      factory: what makes the values that a `defaultdict` does not have.
    """

    plain: type[dict[Any, Any]] = dict
    factory: Callable[[], Any] | None = None

    @classmethod
    def of(cls, value: Any) -> Sort:
        """The class of a dict."""
        return cls(type(value), getattr(value, "default_factory", None))

    def partial(self, entries: Mapping[Any, Entry], following: TensorLike) -> PartialDict:
        """A dict of which only the running graph knows the keys."""
        made = _CLASSES[self.plain](entries, following)
        if self.factory is not None:
            made.factory = self.factory
        return made

    def known(self, items: dict[Any, Any]) -> dict[Any, Any]:
        """A dict with these items."""
        return defaultdict(self.factory, items) if self.plain is defaultdict else self.plain(items)


PLAIN = Sort()
"""A dict."""
