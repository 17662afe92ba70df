"""Items of Python's lists, tuples, ranges and dicts at an index that is traced.

The items become rows of arrays, one array for each part that is a number or an array. An item that
is read is a row; a list in which one is assigned holds the rows of the changed arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any, Protocol

from autograph.adapters.failures import Failures
from autograph.adapters.forms import Form, Forms, Mismatch
from autograph.adapters.refusals import refusal
from autograph.operators.aliases import note_choice
from autograph.staging import ATOMS
from autograph.values import Value

ONE_BY_ONE = "Loop over the items: `for i, each in enumerate(items):`, and inside `if i == index:`."
"""The remedy for functions and modules at a traced index."""

_OUT_OF_RANGE: dict[type, str] = {
    list: "list index out of range",
    tuple: "tuple index out of range",
    range: "range object index out of range",
}


class Library(Protocol):
    """What a library does with indices and rows."""

    forms: Forms
    failures: Failures

    def is_array(self, value: object) -> bool:
        """Return whether the value is an array."""

    def truth(self, value: object) -> Any:
        """Return the truth of a value as a bool scalar. Raises StagingError if it has several."""

    def equal(self, a: object, b: object) -> Any:
        """`a == b`."""

    def scalar_index(self, index: object) -> Any:
        """Return an index as a signed integer scalar. Raises TypeError for other values."""

    def stack(self, arrays: Sequence[Any]) -> Any:
        """One array with these rows, which have one shape and dtype."""

    def row(self, array: object, position: object) -> Any:
        """Return the row at a position that is in range."""

    def known_row(self, array: object, position: int) -> Any:
        """Return the row at a position that is a number of Python."""

    def with_row(self, array: object, position: object, row: object) -> Any:
        """Another array, with another row at a position that is in range."""

    def rows_were_read(self, items: Sequence[Any], item: object) -> None:
        """Called with an item that was read from several."""

    def rows_were_replaced(self, olds: Sequence[Any], value: object, news: Sequence[Any]) -> None:
        """Called with the items of a list before and after one became `value`."""

    def key_error(self, key: object) -> KeyError:
        """What Python raises for a key that a dict does not have."""

    def raise_when(self, condition: object, error: BaseException) -> None:
        """Raise when the program runs and the condition holds."""


def get_item(library: Library, container: Value, index: Value) -> Any:
    """`container[index]`; NotImplemented for what is no list, tuple, range or dict.

    Raises: StagingError for items that have no type in common; what Python raises where there is
      no such item, when the program runs.
    """
    kind = type(container)
    if kind is dict:
        return _value(library, container, index)
    if kind not in _OUT_OF_RANGE and not isinstance(container, tuple):
        return NotImplemented
    _refuse_slice(container, index)
    message = _OUT_OF_RANGE.get(kind, _OUT_OF_RANGE[tuple])
    position = _position(library, len(container), index, message)
    if kind is range:
        return container.start + position * container.step
    return _chosen(library, container, position)


def set_item(library: Library, container: Value, index: Value, value: Value) -> Any:
    """Does `container[index] = value`; gives the container, or NotImplemented.

    Raises: as `get_item`; NotImplementedError for a key that a dict does not have, when the
      program runs.
    """
    kind = type(container)
    if kind is dict:
        keys, position, missing = _found(library, container, index)
        error = NotImplementedError("a dict gets no keys that only the running program knows")
        library.raise_when(missing, error)
        news = _replaced(library, [container[key] for key in keys], position, value)
        container.update(zip(keys, news, strict=True))
        return container
    if kind is not list:
        return NotImplemented
    _refuse_slice(container, index)
    message = "list assignment index out of range"
    position = _position(library, len(container), index, message)
    container[:] = _replaced(library, container, position, value)
    return container


def call_method(library: Library, owner: object, name: str, *args: object) -> Any:
    """`dict.get` of a traced key; NotImplemented for other methods."""
    if type(owner) is not dict or name != "get":
        return NotImplemented
    default = args[1] if len(args) > 1 else None
    keys, position, missing = _found(library, owner, args[0], nothing=True)
    if not keys:
        return default
    items = [*(owner[key] for key in keys), default]
    return _chosen(library, items, library.failures.select(missing, len(keys), position))


def _refuse_slice(container: object, index: object) -> None:
    if isinstance(index, (slice, tuple)):
        raise refusal(
            f"a {type(container).__name__} of Python's is sliced at a bound that is known only "
            "when the program runs.",
            "Slice an array by functions of the library, or use Python numbers.",
        )


def _position(library: Library, length: int, index: object, message: str) -> Any:
    """Return an index counted from 0, and in range also where the program is about to fail."""
    if not length:
        raise IndexError(message)
    number = library.scalar_index(index)
    library.raise_when((number < -length) | (number >= length), IndexError(message))
    select = library.failures.select
    number = select(number < 0, number + length, number)
    return select(number < 0, 0, select(number < length, number, length - 1))


def _found(
    library: Library, container: dict[Any, Any], index: object, nothing: bool = False
) -> tuple[list[Any], Any, Any]:
    """The keys that may equal a number, the position of the one that does, and whether none does.

    Args:
      nothing: whether there may be no such keys.
    """
    if isinstance(index, tuple):
        raise refusal(
            "a key of a dict is a tuple with a value that is known only when the program runs.",
            "Use one number as a key.",
        )
    keys = [key for key in container if type(key) in (bool, int, float)]
    if not keys and not nothing:
        raise KeyError("the dict has no number as a key")
    position, missing = 0, True
    select = library.failures.select
    for number, key in enumerate(keys):
        same = library.truth(library.equal(index, key))
        position = select(same, number, position)
        missing = library.failures.both(library.failures.not_(same), missing)
    return keys, position, missing


def _value(library: Library, container: dict[Any, Any], index: object) -> Any:
    keys, position, missing = _found(library, container, index)
    library.raise_when(missing, library.key_error(index))
    return _chosen(library, [container[key] for key in keys], position)


def _chosen(library: Library, items: Sequence[Any], position: object) -> Any:
    form = _common_form(library, items)
    forms = library.forms
    columns = zip(*(forms.arrays_of(form, item) for item in items), strict=True)
    rows = (library.row(library.stack(column), position) for column in columns)
    item = forms.value_from(form, rows)
    note_choice("the item of a list", items, item)
    library.rows_were_read(items, item)
    return item


def _replaced(library: Library, items: Sequence[Any], position: object, value: object) -> list[Any]:
    """Return the items with another one at a position."""
    if any(_is_mutable(each) for each in (*items, value)):
        raise refusal(
            "a list or dict is assigned to an item at an index that is known only when the program "
            "runs.",
            "Use an array with one more dimension, or tuples.",
        )
    form = _common_form(library, [*items, value])
    forms = library.forms
    given = forms.arrays_of(form, value)
    columns = zip(*(forms.arrays_of(form, item) for item in items), strict=True)
    changed = [
        library.with_row(library.stack(column), position, row)
        for column, row in zip(columns, given, strict=True)
    ]
    news = [
        forms.value_from(form, (library.known_row(column, number) for column in changed))
        for number in range(len(items))
    ]
    library.rows_were_replaced(items, value, news)
    return news


def _is_mutable(item: object) -> bool:
    if type(item) is tuple:
        return any(map(_is_mutable, item))
    return isinstance(item, (list, dict))


def _common_form(library: Library, items: Sequence[Any]) -> Form:
    """Return the form that covers all items. Raises StagingError that names two that have none."""
    for item in items:
        if not _is_plain(library, item):
            raise refusal(
                f"an item of a list or dict is a {type(item).__name__}, and the index is known "
                "only when the program runs.",
                ONE_BY_ONE
                if callable(item)
                else "Keep numbers, arrays, or tuples or lists of them there.",
            )
    try:
        join = library.forms.join
        return reduce(
            lambda form, other: join("the item", form, other), map(library.forms.of, items)
        )
    except Mismatch as mismatch:
        raise refusal(
            f"{mismatch.subject} of a list or dict is {mismatch.left} at one index and "
            f"{mismatch.right} at another{mismatch.because}; which one it is, is known only when "
            "the program runs.",
            "Give all items one type, shape and structure.",
        ) from None


def _is_plain(library: Library, item: object) -> bool:
    if isinstance(item, tuple) or type(item) is list:
        return all(_is_plain(library, part) for part in item)
    if type(item) is dict:
        return all(_is_plain(library, part) for part in item.values())
    return isinstance(item, tuple(ATOMS)) or library.is_array(item)
