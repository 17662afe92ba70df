"""The stand-in for a dict whose keys are known only at run time, among a known set."""

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
from runtime.control_flow.values.carried import Carried
from runtime.control_flow.values.forms import DictKind, Form, Formed, FormOf, Keyed, gains_keys
from runtime.core import dtypes
from runtime.core.handlers import refuse_handled
from runtime.core.places import is_in_place, user_name
from runtime.core.tensor import Tensor, TensorLike, is_operand
from runtime.ops.base.convert import cast_to, convert_to_tensor, weakened
from runtime.ops.effects.output import raise_when
from runtime.ops.items.selecting import where
from runtime.ops.math.arithmetic import add_n
from runtime.ops.math.elementwise import logical_not
from runtime.ops.math.logic import logical_and, logical_or


@dataclass(frozen=True)
class Entry:
    """One possible key of a dict.

    Attributes:
      value: the value, or placeholders if the key is absent.
      present: whether the key is present: a bool or a bool tensor.
      rank: the sort key of the insertion order: an int or an int32 tensor.
      owned: whether the value has no alias if the key is absent.
    """

    value: Any
    present: TensorLike
    rank: TensorLike
    owned: bool = True


def _is_same_entry(one: Entry, other: Entry) -> bool:
    names = ("value", "present", "rank", "owned")
    return all(getattr(one, name) is getattr(other, name) for name in names)


class PartialDict(Carried, Formed):
    """A dict whose possible keys are known during tracing, and its keys at run time.

    It supports access by key; operations on all of its keys raise. A function returns it as a
    Python dict. `following` is the rank of the next new key.
    """

    represents: type = dict
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
        self.check_is_part()
        parts = tuple(form_of(entry.value) for entry in self.entries.values())
        owned = tuple(entry.owned for entry in self.entries.values())
        return Keyed(tuple(self.entries), parts, owned, DictKind(self.represents, self.factory))

    def stand_in(self, owner: object) -> PartialDict | None:
        """Return the stand-in for a dict of the class of `owner`; None for a class of the
        program.
        """
        if not gains_keys(type(owner)):
            return None
        return partial_dict(DictKind.of(owner), self.entries, self.following)

    def check_is_part(self) -> None:
        """Raise StagingError if it cannot be returned or stored in another object."""

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

    def put_part(self, key: object, value: object) -> None:
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
        if isinstance(default, _CONTAINERS) and isinstance(value, _CONTAINERS):
            chosen = if_exp(entry.present, lambda: value.copy(), lambda: default.copy())
            note_choice(f"{user_name(self) or self.kind}.get({key!r})", (value, default), chosen)
            return chosen
        if isinstance(value, _CONTAINERS):
            self.refuse(
                f"is asked for the {_word(value)} under the key {key!r}, or for something else",
                remedy=f"Give a {_word(value)} as the default, or test `{key!r} in` it first.",
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
        value = self._settled(key, lambda: default)
        if entry is not None and value is not default:
            _part_from(default, value)
        return value

    def _settled(self, key: object, make: Callable[[], Any]) -> Any:
        """Return the value of a key; an absent key receives the result of `make`."""
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

    def _filling(self, key: object, entry: Entry, make: Callable[[], Any]) -> Callable[[], None]:
        """Return the branch that sets an absent key; a list or dict keeps its identity."""
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
            add = value.extend if hasattr(value, "extend") else value.update
            add(items)

        return fill

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


def _nothing() -> None:
    """Do nothing: the branch of a key that is present."""


def _part_from(default: object, value: object) -> None:
    """Make a list or dict refuse its uses, because it may have become the value of a key."""
    label = user_name(default) or "the default"
    if isinstance(default, list | dict):
        refuse_uses(default, changed_elsewhere(label, user_line()))
    elif isinstance(default, Carried):
        link(value, default, label, user_line())


class PartialCounter(PartialDict):
    """A `Counter`: an absent key counts zero."""

    represents = Counter

    def __getitem__(self, key: object) -> Any:
        return self.get(key, 0)

    def __delitem__(self, key: object) -> None:
        """Remove a key, if it is present."""
        self._with(key, None)

    def update(self, other: Any = (), /, **more: Any) -> None:
        """Add the counts of another counter, or count keys."""
        for key, count in Counter(other, **more).items():
            self[key] += count

    def subtract(self, other: Any = (), /, **less: Any) -> None:
        """Subtract the counts of another counter, or of keys."""
        for key, count in Counter(other, **less).items():
            self[key] -= count

    def total(self) -> Tensor:
        """Return the sum of the counts."""
        return add_n(
            [convert_to_tensor(0), *map(convert_to_tensor, map(self.__getitem__, self.entries))]
        )

    most_common = elements = PartialDict._all
    __add__ = __radd__ = __sub__ = __rsub__ = __and__ = __rand__ = PartialDict._compared
    __iadd__ = __isub__ = __iand__ = __pos__ = __neg__ = PartialDict._compared


class PartialDefaultDict(PartialDict):
    """A `defaultdict`: reading an absent key inserts it."""

    represents = defaultdict

    def __getitem__(self, key: object) -> Any:
        """Return the value of a key; an absent key receives the result of the factory."""
        return (
            super().__getitem__(key) if self.factory is None else self._settled(key, self.factory)
        )


class PartialOrderedDict(PartialDict):
    """An `OrderedDict`, whose keys can be moved to the end."""

    represents = OrderedDict

    def move_to_end(self, key: object, last: bool = True) -> None:
        """Move a key to the end. Raises KeyError at run time if it is absent."""
        if last is not True:
            self.refuse("moves a key before all others")
        self[key] = self.pop(key)


class PartialSet(PartialDict):
    """A `set`: its members are the keys."""

    represents = set
    remedy = "Ask for single members, or use a dict with all of its keys, whose values are bools."
    asked = "is asked for all of its members"

    def contents(self) -> PartialDict:
        """Return the members as the keys of a dict."""
        return PartialDict(self.entries, self.following)

    def check_is_part(self) -> NoReturn:
        """Raise: a set cannot be returned or stored in another object."""
        self.refuse("is returned, or held by another object")

    def add(self, member: object) -> None:
        """Add a member."""
        self._add(member, True)

    def _add(self, member: object, added: TensorLike) -> None:
        entry = self._entry(member)
        present = added if entry is None else _either(entry.present, added)
        self._with(member, Entry(True, present, 0))

    def discard(self, member: object) -> None:
        """Remove a member, if it is present."""
        self._entry(member)
        self._with(member, None)

    def remove(self, member: object) -> None:
        """Remove a member. Raises KeyError, at run time if the members are not known before."""
        self[member]
        self._with(member, None)

    def update(self, *others: object) -> None:  # type: ignore[override]
        """Add the members of other iterables."""
        for other in others:
            for member, present in _members(other).items():
                self._add(member, present)

    def difference_update(self, *others: object) -> None:
        """Remove the members of other iterables."""
        for other in others:
            for member, present in _members(other).items():
                entry = self._entry(member)
                kept = entry is not None and present is not True
                absent = logical_not(present) if kept else False
                own = Entry(True, logical_and(entry.present, absent), 0) if kept and entry else None
                self._with(member, own)

    def intersection_update(self, *others: object) -> None:
        """Remove the members that others do not have."""
        for other in others:
            held = _members(other)
            self.difference_update([member for member in self.entries if member not in held])
            for member, present in held.items():
                entry = self._entry(member)
                if entry is not None and present is not True:
                    self._with(member, Entry(True, logical_and(entry.present, present), 0))

    def union(self, *others: object) -> PartialSet:
        """Return the union with other iterables."""
        made = self.copy()
        made.update(*others)
        return made

    def difference(self, *others: object) -> PartialSet:
        """Return the difference from other iterables."""
        made = self.copy()
        made.difference_update(*others)
        return made

    def intersection(self, *others: object) -> PartialSet:
        """Return the intersection with other iterables."""
        made = self.copy()
        made.intersection_update(*others)
        return made

    def __or__(self, other: object) -> PartialSet:
        return self.union(_checked(other, "|"))

    def __ror__(self, other: object) -> PartialSet:
        """Return the union with a set of Python."""
        self._check_not_in_place("|")
        return self | other

    def __rand__(self, other: object) -> PartialSet:
        """Return the intersection with a set of Python."""
        self._check_not_in_place("&")
        return self & other

    def _check_not_in_place(self, sign: str) -> None:
        """Raise if Python asks for `|=`: other names of the set would keep its members."""
        if is_in_place(sign) is not False:
            self.refuse(
                f"is the operand of `{sign}=` for a set of Python",
                remedy=f"Write `v = v {sign} w`, in a line of its own.",
            )

    def __sub__(self, other: object) -> PartialSet:
        return self.difference(_checked(other, "-"))

    def __and__(self, other: object) -> PartialSet:
        return self.intersection(_checked(other, "&"))

    def __ior__(self, other: object) -> PartialSet:
        self.update(_checked(other, "|="))
        return self

    def __isub__(self, other: object) -> PartialSet:
        self.difference_update(_checked(other, "-="))
        return self

    def __iand__(self, other: object) -> PartialSet:
        self.intersection_update(_checked(other, "&="))
        return self

    def pop(self, *_: object) -> NoReturn:
        """Raise: the removed member would depend on all members."""
        self._all()

    def __setitem__(self, key: object, value: object) -> None:
        """Raise: a set has no items."""
        raise TypeError("'set' object does not support item assignment")

    def __getattr__(self, name: str) -> Any:
        """Raise for the other methods of a set."""
        if self.parted is None and hasattr(set, name):
            self.refuse(f"is asked for `{name}`")
        return super().__getattr__(name)

    __rsub__ = __xor__ = __rxor__ = __ixor__ = PartialDict._compared
    __lt__ = __le__ = __gt__ = __ge__ = PartialDict._compared


def _either(one: TensorLike, other: TensorLike) -> TensorLike:
    return True if one is True or other is True else logical_or(one, other)


def _members(other: Any) -> dict[Any, TensorLike]:
    """Return the possible members of an iterable, and whether each is present."""
    if isinstance(other, PartialDict):
        return {member: entry.present for member, entry in other.entries.items()}
    return dict.fromkeys(other, True)


def _checked(other: object, sign: str) -> Any:
    """Return an operand. Raises TypeError, like Python, unless it is a set."""
    other = resolve(other)
    if isinstance(other, set | frozenset | PartialSet):
        return other
    kinds = f"'set' and '{_word(other)}'"
    raise TypeError(f"unsupported operand type(s) for {sign}: {kinds}")


PARTIAL_DICTS = (PartialDict, PartialCounter, PartialDefaultDict, PartialOrderedDict, PartialSet)
"""The stand-ins for dicts and sets."""

_CLASSES: dict[type, type[PartialDict]] = {each.represents: each for each in PARTIAL_DICTS}


def partial_dict(
    kind: DictKind, entries: Mapping[Any, Entry], following: TensorLike
) -> PartialDict:
    """Return what represents a dict of a class during the trace."""
    made = _CLASSES[kind.plain](entries, following)
    if kind.factory is not None:
        made.factory = kind.factory
    return made
