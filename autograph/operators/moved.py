"""Moved lists and dicts: their length is known at run time, so another object has the items."""

from __future__ import annotations

import operator
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable
from dataclasses import is_dataclass
from typing import Any, NoReturn

from autograph.errors import StagingError
from autograph.operators.frames import PASSERS, leave_out, user_line
from autograph.staging import ATOMS, is_one_of, library_of, ongoing, trace
from autograph.values import Value

_DICTS = (dict, Counter, OrderedDict, defaultdict)
_SEQUENCES = (list, deque)
_CONTAINERS = (list, deque, dict, set)


class Moved:
    """The placeholder for each item of a moved list, or for the keys of a moved dict.

    Any use of it is an error.

    Args:
      value: the object that has the items.
      label: the user's name for the list.
      owner: the list. A shallow copy of the list has the same placeholders but is not the owner.
    """

    def __init__(self, value: object, label: str, owner: object = None) -> None:
        self.value = value
        self.label = label
        self.owner = owner

    def refuse(self, *_: object) -> NoReturn:
        """Raise the error for a use of the list by a reference that the walk did not find."""
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
    __setitem__ = __delitem__ = refuse

    def __getattr__(self, name: str) -> NoReturn:
        """Raise the error; protocol methods are missing."""
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        self.refuse()

    def __repr__(self) -> str:
        trace.texts_shown += 1
        return f"<items of {self.label}>"


class MovedKey(Moved):
    """A placeholder key of a moved dict, with the hash of `key`, so that a look-up meets it."""

    def __init__(self, value: object, label: str, key: object) -> None:
        super().__init__(value, label)
        self._hash = hash(key)

    def __hash__(self) -> int:  # type: ignore[override]
        return self._hash


class Parted(Moved):
    """Each item of a poisoned list, or a key of a poisoned dict: every use is an error.

    Args:
      label: the user's name for the list or dict.
      error: creates the error; its argument describes the use if no line shows it.
      keys: the possible keys of a dict besides its own.

    Attributes:
      length: of the poisoned list, at least 1. A list keeps its length, so that an index in range
        meets an item, and not Python's IndexError.
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
        self.length = 1

    def refuse(self, *_: object) -> NoReturn:
        """Raises the error."""
        raise self.error(None)

    __bool__ = __iter__ = __len__ = __index__ = __float__ = __int__ = __call__ = refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = refuse
    __rtruediv__ = __lt__ = __le__ = __gt__ = __ge__ = __getitem__ = __contains__ = refuse
    __neg__ = __abs__ = __floordiv__ = __mod__ = __pow__ = __eq__ = __ne__ = refuse
    __setitem__ = __delitem__ = refuse

    def __hash__(self) -> int:  # type: ignore[override]
        return id(self)


class PartedKey(Moved):
    """A key of a poisoned dict, with the hash of an original key, so that a look-up meets it."""

    value: Parted

    def __init__(self, parted: Parted, number: int) -> None:
        super().__init__(parted, parted.label)
        self._hash = number

    def refuse(self, *_: object) -> NoReturn:
        """Raises the error."""
        self.value.refuse()

    __eq__ = __ne__ = refuse

    def __hash__(self) -> int:  # type: ignore[override]
        return self._hash


def part(container: Value, parted: Parted) -> None:
    """Poison a list or dict, also of a derived class: every use becomes an error."""
    trace.moved[id(container)] = container, None
    if hasattr(type(container), "__autograph_carried__"):
        container.hide(parted)
        return
    if issubclass(type(container), list):
        parted.length = max(list.__len__(container), 1)
        list.__setitem__(container, slice(None), [parted] * parted.length)
        return
    if issubclass(type(container), deque):
        parted.length = max(deque.__len__(container), 1)
        deque.clear(container)
        deque.extend(container, [parted] * parted.length)
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


def changed_elsewhere(
    label: str, line: str, kind: str = "list or dict", returned: bool = False
) -> Parted:
    """Create the placeholder for a list or dict that may be a changed one.

    Args:
      label: the variable that refers to one of them.
      line: the line that changed the other one.
      kind: what the container is.
      returned: whether the variable is the value that the function returns.
    """
    example = f", for instance copy.copy({label})" if label.isidentifier() else ""
    remedy = "Return a copy" if returned else f"Change a copy{example}"
    return Parted(
        label,
        lambda use: StagingError(
            f"`{label}` may be this {kind} or another one, as a staged statement "
            "decides, and one of them was changed: only the running program knows whether this "
            f"one was. The change:\n  {line}\n"
            f"{remedy}.",
        ),
    )


def moved_in(container: Value) -> Moved | None:
    """Return the placeholder in a moved list or dict, or None."""
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


def parted_in(container: object) -> Parted | None:
    """Return the placeholder in a poisoned list or dict, or None."""
    found = moved_in(container)
    return found if type(found) is Parted else None


def is_parted(container: object) -> bool:
    """Return whether a list or dict is poisoned.

    >>> row = [1, 2]
    >>> part(row, changed_elsewhere("row", "line 3"))
    >>> is_parted(row), is_parted([1, 2])
    (True, False)
    """
    return parted_in(container) is not None


_MOVED_LENGTH = 16
"""Length of a moved list: slices that Python takes from its ends contain a placeholder, too."""


def move(container: Value, value: Value, label: str) -> None:
    """Replace the items of a list or dict by placeholders, for references that were not found.

    Args:
      container: the list or dict.
      value: the object that has the items.
      label: the user's name for the list or dict.
    """
    _replace_items(container, value, label)
    trace.moved[id(container)] = container, _placeholders(container)


def _moved_length(container: object) -> int:
    most = getattr(container, "maxlen", None)
    return _MOVED_LENGTH if most is None else min(most, _MOVED_LENGTH)


def _replace_items(container: Value, value: Value, label: str) -> None:
    if type(container) in _SEQUENCES:
        container.clear()
        container.extend(Moved(value, label, container) for _ in range(_MOVED_LENGTH))
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


def note_items(container: Value) -> None:
    """Record whether the items that a list or dict got are placeholders."""
    found = moved_in(container)
    if found is not None:
        items = None if type(found) is Parted else _placeholders(container)
        trace.moved[id(container)] = container, items
    elif trace.moved:
        trace.moved.pop(id(container), None)


def _placeholders(container: Any) -> list[Any]:
    """Return the items of a list, or the keys and values of a dict."""
    return [*container, *(container.values() if isinstance(container, dict) else ())]


def _is_intact(container: object, items: list[Any]) -> bool:
    now = _placeholders(container)
    return len(now) == len(items) and all(map(operator.is_, now, items))


def check_moved() -> None:
    """Raise StagingError if Python changed a moved list or dict itself: the change is lost."""
    for container, items in trace.moved.values():
        if items is None or parted_in(container) is not None or _is_intact(container, items):
            continue
        raise StagingError(
            f"`{items[0].label}` is a list or dict whose length depends on a staged statement, "
            "and another name for it changes it, too.",
            remedy="Change it by one name, or change a copy of it.",
        )


_EMPTY: tuple[Any, ...] = ({}, OrderedDict())
_VIEWS = frozenset(
    type(view) for each in _EMPTY for view in (each.keys(), each.values(), each.items())
)
_RESOLVED = _VIEWS.union(_DICTS, _SEQUENCES, (set,))
"""The classes of values that may be resolved."""


def resolve(value: Value) -> Any:
    """Return the object that has the items of a moved list or dict; any other value itself.

    Raises:
      StagingError: for a view of a moved dict.
    """
    if type(value) not in _RESOLVED:
        return value
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
    if not value or type(value[0]) in ATOMS or not issubclass(type(value[0]), Moved):
        return value
    if type(value[0]) is Parted:
        value[0].refuse()
    if value[0].owner is not value or len(value) != _moved_length(value):
        value[0].refuse()
    return value[0].value


def _resolved_set(members: set[Any]) -> Any:
    """Return the object that has the members of a moved set; any other set itself."""
    found = moved_in(members)
    if found is None:
        return members
    if type(found) is not MovedKey or any(type(each) is not MovedKey for each in members):
        found.refuse()
    return found.value


def held(value: Value) -> Any:
    """Resolve a value, and each element of a tuple.

    Raises:
      StagingError: for a list or dict that contains a moved one.

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
        elif kind in _VIEWS:
            waiting += each.mapping.values()
    return value


_SEARCHES = frozenset({"index", "count", "remove", "__contains__"})


COMPARISONS = {each.__name__: each for each in (operator.eq, operator.ne, operator.countOf)}
"""Functions that compare values as Python does, by name."""


def comparing(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that refuses to compare moved items, if this one compares; else itself."""
    if not trace.moved or function is not COMPARISONS.get(function.__name__):
        return function
    return lambda *args: function(*map(held, args))


def check_searched(method: Any) -> None:
    """Raise StagingError for a method that compares items, if the items of one of them moved.

    Python compares lengths first, so it would not notice.
    """
    if trace.moved and method.__name__ in _SEARCHES:
        held(method.__self__)


def with_items(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a function to resolve moved lists and dicts in its arguments.

    Where nothing has moved, that is the function itself. The attribute `__autograph_calls__` of a
    wrapper is `function`.
    """
    if not trace.moved:
        return function

    def given(value: Value) -> Any:
        if issubclass(type(value), Moved):  # the items of a list became arguments
            value.refuse()
        found = moved_in(value)
        return value if found is None or type(found) is Parted else resolve(value)

    def call(*args: object, **kwargs: object) -> Any:
        try:
            named = {name: given(value) for name, value in kwargs.items()}
            return function(*map(given, args), **named)
        except BaseException as error:
            leave_out(error)
            raise

    call.__autograph_calls__ = function  # type: ignore[attr-defined]
    PASSERS.add(call.__code__)
    return call


def listed(value: object) -> Any:
    """Return a list of the items of a list or tuple chosen at run time; else as `resolve`."""
    value = resolve(value)
    items = getattr(type(value), "__autograph_items__", None)
    return value if items is None else items(value)


def _has_items(value: Value) -> bool:
    """Return whether a staged value represents a sequence: it is no scalar."""
    library = library_of(value)
    if library is None:
        return False
    try:
        return library.builtin("len", value) is not NotImplemented
    except TypeError:
        return False


def items_for_python(value: Value) -> Any:
    """Return a value whose items Python itself is about to read, as a pattern does.

    Raises:
      StagingError: for a list or dict whose length is known at run time.

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
            elif _has_items(value):
                raise StagingError(
                    "a pattern looks inside a staged value with items, and only lists and tuples "
                    f"of Python match it.\n  {user_line()}\n",
                    remedy="Match a tuple of its items, as in `match (x[0], x[1])`.",
                )
        return value
    except BaseException as error:
        leave_out(error)
        raise
