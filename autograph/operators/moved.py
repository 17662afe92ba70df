"""Lists and dicts whose items are held elsewhere: only a running program knows how many."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable
from dataclasses import is_dataclass
from typing import Any, NoReturn

from autograph.errors import StagingError
from autograph.operators.frames import leave_out
from autograph.operators.results import PASSERS
from autograph.staging import call_watchers, is_one_of, ongoing, trace

_DICTS = (dict, Counter, OrderedDict, defaultdict)
_SEQUENCES = (list, deque)
_CONTAINERS = (list, deque, dict, set)


class Moved:
    """Each item of a list, or the keys of a dict, whose items are held elsewhere.

    Any use of it is an error.

    Args:
      value: what holds the items.
      label: what the program calls the list.
      owner: the list; a copy of it, which Python makes without asking, is another one.
    """

    def __init__(self, value: Any, label: str, owner: Any = None) -> None:
        self.value = value
        self.label = label
        self.owner = owner

    def refuse(self, *_: Any) -> NoReturn:
        """Raises the error for a use of the list by a name that the walk could not find."""
        raise StagingError(
            f"`{self.label}` is a list or dict whose length depends on a staged statement, and it "
            "is used here in a way that needs the length now.",
            remedy="Use a runtime.TensorArray, or iterate, index, append to or return the list in "
            "converted code.",
        )

    __bool__ = __iter__ = __len__ = __index__ = __float__ = __int__ = __call__ = refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = refuse
    __rtruediv__ = __lt__ = __le__ = __gt__ = __ge__ = __getitem__ = __contains__ = refuse
    __neg__ = __abs__ = __floordiv__ = __mod__ = __pow__ = __eq__ = __ne__ = __hash__ = refuse

    def __repr__(self) -> str:
        trace.texts_shown += 1
        return f"<items of {self.label}>"


class MovedKey(Moved):
    """A key of a dict whose items are held elsewhere; it is found where `key` is looked up."""

    def __init__(self, value: Any, label: str, key: Any) -> None:
        super().__init__(value, label)
        self._hash = hash(key)

    def __hash__(self) -> int:  # type: ignore[override]
        return self._hash


class Parted(Moved):
    """The only item of a list, or key of a dict, that refuses every use.

    Args:
      label: what the program calls it.
      error: makes the error of a use; its argument says what the use is if no line shows it.
      keys: those that a dict may have, besides its own.
    """

    def __init__(
        self,
        label: str,
        error: Callable[[str | None], BaseException],
        keys: Iterable[Any] = (),
    ) -> None:
        super().__init__(None, label)
        self.error = error
        self.hashes = set(map(hash, keys))

    def refuse(self, *_: Any) -> NoReturn:
        """Raises the error."""
        raise self.error(None)

    __bool__ = __iter__ = __len__ = __index__ = __float__ = __int__ = __call__ = refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = refuse
    __rtruediv__ = __lt__ = __le__ = __gt__ = __ge__ = __getitem__ = __contains__ = refuse
    __neg__ = __abs__ = __floordiv__ = __mod__ = __pow__ = __eq__ = __ne__ = refuse

    def __hash__(self) -> int:  # type: ignore[override]
        return id(self)


class PartedKey(Moved):
    """A key of a dict that refuses every use: it is found where a key of this hash is looked up."""

    value: Parted

    def __init__(self, parted: Parted, number: int) -> None:
        super().__init__(parted, parted.label)
        self._hash = number

    def refuse(self, *_: Any) -> NoReturn:
        """Raises the error."""
        self.value.refuse()

    __eq__ = __ne__ = refuse

    def __hash__(self) -> int:  # type: ignore[override]
        return self._hash


def part(container: Any, parted: Parted) -> None:
    """Has a list or dict, which may be of a derived class, refuse every use."""
    trace.moved += 1
    if hasattr(type(container), "__autograph_carried__"):
        container.hide(parted)
        return
    if issubclass(type(container), list):
        list.__setitem__(container, slice(None), [parted])
        return
    if issubclass(type(container), deque):
        deque.clear(container)
        deque.append(container, parted)
        return
    if type(container) is set:
        parted.hashes.update(hash(key) for key in container if type(key) is not Parted)
        container.clear()
        container.update((parted, *(PartedKey(parted, number) for number in parted.hashes)))
        return
    base: Any = OrderedDict if issubclass(type(container), OrderedDict) else dict
    parted.hashes.update(hash(key) for key in base.__iter__(container) if type(key) is not Parted)
    base.clear(container)
    for key in (parted, *(PartedKey(parted, number) for number in sorted(parted.hashes))):
        base.__setitem__(container, key, parted)


def changed_elsewhere(label: str, line: str) -> Parted:
    """What a list or dict holds that may be one that was changed.

    Args:
      label: the variable that names one of them.
      line: the line that changed the other one.
    """
    return Parted(
        label,
        lambda use: StagingError(
            f"`{label}` may be this list or dict or another one, as a staged statement "
            "decides, and one of them was changed: only the running program knows whether this "
            f"one was. The change:\n  {line}\n"
            f"Change a copy, for instance list({label}).",
        ),
    )


def moved_in(container: Any) -> Moved | None:
    """What a list or dict holds in place of its items if they are held elsewhere."""
    kind: Any = type(container)
    if hasattr(kind, "__autograph_carried__"):
        return container.parted  # type: ignore[no-any-return]
    base: Any = next((each for each in _CONTAINERS if issubclass(kind, each)), None)
    if base is None:
        return None
    members: Any = base.__iter__(container)
    if base is set:
        found = [each for each in members if issubclass(type(each), Moved)]
        return next((each for each in found if type(each) is Parted), found[0] if found else None)
    first = next(members, None)
    return first if issubclass(type(first), Moved) else None


def parted_in(container: Any) -> Parted | None:
    """What a list or dict holds in place of its items if it refuses every use."""
    found = moved_in(container)
    return found if type(found) is Parted else None


def is_parted(container: Any) -> bool:
    """Whether a list or dict refuses every use.

    >>> row = [1, 2]
    >>> part(row, changed_elsewhere("row", "line 3"))
    >>> is_parted(row), is_parted([1, 2])
    (True, False)
    """
    return parted_in(container) is not None


_MOVED_LENGTH = 16
"""Length of a list that is moved: what Python takes from its front or end holds an item, too."""


def _moved_length(container: Any) -> int:
    most = getattr(container, "maxlen", None)
    return _MOVED_LENGTH if most is None else min(most, _MOVED_LENGTH)


def move(container: Any, value: Any, label: str) -> None:
    """Has a list or dict, under names that were not found, refuse to give its items.

    Args:
      container: the list or dict.
      value: what holds the items.
      label: what the program calls it.
    """
    trace.moved += 1
    if type(container) in _SEQUENCES:
        container.clear()
        container.extend([Moved(value, label, container)] * _MOVED_LENGTH)
        return
    keys = {hash(key): key for key in (label, *getattr(value, "entries", ()))}
    container.clear()
    if type(container) is set:
        container.update(MovedKey(value, label, key) for key in keys.values())
        return
    held = Moved(value, label)
    of: Any = OrderedDict if type(container) is OrderedDict else dict
    for key in keys.values():
        of.__setitem__(container, MovedKey(value, label, key), held)


_EMPTY: tuple[Any, ...] = ({}, OrderedDict())
_VIEWS = frozenset(
    type(view) for each in _EMPTY for view in (each.keys(), each.values(), each.items())
)


def resolve(value: Any) -> Any:
    """What holds the items of a list or dict that is moved; any other value itself.

    Raises: StagingError for a view of a dict that is moved.
    """
    if type(value) in _VIEWS:
        key = next(iter(value.mapping), None)
        if isinstance(key, Moved):
            key.refuse()
        return value
    if type(value) in _DICTS:
        first = next(iter(value), None)
        if type(first) is Parted:
            first.refuse()
        if type(first) is not MovedKey:
            return value
        if type(next(reversed(value))) is not MovedKey:
            first.refuse()
        return first.value
    if type(value) is set:
        return _resolved_set(value) if trace.moved else value
    if type(value) not in _SEQUENCES or not value or not issubclass(type(value[0]), Moved):
        return value
    if type(value[0]) is Parted:
        value[0].refuse()
    if value[0].owner is not value or len(value) != _moved_length(value):
        value[0].refuse()
    return value[0].value


def _resolved_set(members: set[Any]) -> Any:
    """What holds the members of a set that is moved; any other set itself."""
    found = moved_in(members)
    if found is None:
        return members
    if type(found) is not MovedKey or any(type(each) is not MovedKey for each in members):
        found.refuse()
    return found.value


def held(value: Any) -> Any:
    """What holds the items of a list or dict; of a tuple, what holds those of each element.

    Raises: StagingError for a list or dict in which there is one that is moved.

    >>> held(([1], 2))
    ([1], 2)
    """
    if not trace.moved:
        return value
    value = resolve(value)
    if type(value) is tuple:
        return tuple(map(held, value))
    waiting, seen = [value], set()
    while waiting:
        each = waiting.pop()
        kind = type(each)
        if kind in (list, tuple, dict, deque) and id(each) not in seen:
            seen.add(id(each))
            found = moved_in(each)
            if found is not None:
                found.refuse()
            waiting += each.values() if kind is dict else each
        elif is_dataclass(kind) and id(each) not in seen:  # compared by its attributes
            seen.add(id(each))
            waiting += vars(each).values() if hasattr(each, "__dict__") else ()
    return value


def with_items(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function, which is given what holds the items of lists and dicts that are moved.

    Its attribute `__autograph_calls__` is `function`.
    """

    def given(value: Any) -> Any:
        if issubclass(type(value), Moved):  # the items of a list became arguments
            value.refuse()
        found = moved_in(value)
        return value if found is None or type(found) is Parted else resolve(value)

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            named = {name: given(value) for name, value in kwargs.items()}
            return function(*map(given, args), **named)
        except BaseException as error:
            leave_out(error)
            raise

    call.__autograph_calls__ = function  # type: ignore[attr-defined]
    PASSERS.add(call.__code__)
    return call if trace.moved else function


call_watchers.append(lambda _, target: with_items(target))


def listed(value: Any) -> Any:
    """A list of the items, for a list or tuple that a tensor has chosen; else as `resolve`."""
    value = resolve(value)
    items = getattr(type(value), "__autograph_items__", None)
    return value if items is None else items(value)


def items_for_python(value: Any) -> Any:
    """A value of which Python itself is about to look at the items, in a pattern for instance.

    Raises: StagingError for a list or dict of which only the running program knows the length.

    >>> items_for_python([1, 2])
    [1, 2]
    """
    try:
        if ongoing:
            value = resolve(value)
            if is_one_of(value):
                raise value.__autograph_refusal__("matched by a pattern that looks inside")
            if hasattr(type(value), "__autograph_carried__"):
                len(value)
        return value
    except BaseException as error:
        leave_out(error)
        raise
