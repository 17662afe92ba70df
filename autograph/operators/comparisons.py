"""Comparisons: `in`, `==`, `!=`, chains, and the order of lists and tuples.

Lists, tuples and dicts that contain staged values are compared item by item, in Python's order.
Python would need the truth value of each result; here each result is the test of an `and` or of a
conditional expression.
"""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from types import FunctionType
from typing import Any

from autograph.conversion.class_facts import look_up
from autograph.operators.alternatives import not_, over_alternatives
from autograph.operators.attributes import is_ordinary
from autograph.operators.frames import leave_out
from autograph.operators.identity import is_, is_not
from autograph.operators.iterators import items_by_library
from autograph.operators.logic import and_, decided, if_exp, or_
from autograph.operators.moved import held, listed, resolve
from autograph.operators.sizes import program_method, truth_of
from autograph.operators.sorted_lists import compares_as_tuple
from autograph.operators.world import check_read
from autograph.staging import ATOMS, is_one_of, library_of, library_within, ongoing, trace
from autograph.values import Value

_SEQUENCES = (list, tuple)
_SEARCHES = (list.__contains__, tuple.__contains__, deque.__contains__)
_VIEWS: tuple[Any, ...] = (type({}.values()), type({}.items()))


def in_(item: object, container: object) -> Any:
    """Return `item in container`."""
    try:
        if type(item) in ATOMS and type(container) in _SEQUENCES:
            found = _search(item, container)
            if found is not None:
                return found
        if _is_found_by_python(item, container):
            return item in container  # type: ignore[operator]
        if ongoing:
            check_read(container)
        return _contains(held(resolve(container)), held(item))
    except BaseException as error:
        leave_out(error)
        raise


def not_in(item: object, container: object) -> Any:
    """Return `item not in container`."""
    try:
        if type(item) in ATOMS and type(container) in _SEQUENCES:
            found = _search(item, container)
            if found is not None:
                return not found
        if _is_found_by_python(item, container):
            return item not in container  # type: ignore[operator]
        if ongoing:
            check_read(container)
        return not_(_contains(held(resolve(container)), held(item)))
    except BaseException as error:
        leave_out(error)
        raise


def _is_plain(value: Value) -> bool:
    """Return whether a value is an atom, or a list or tuple of atoms: nothing stages it."""
    kind = type(value)
    if kind in ATOMS:
        return True
    if kind is not list and kind is not tuple:
        return False
    for each in value:  # noqa: SIM110  # a generator takes longer than most of these loops
        if type(each) not in ATOMS:
            return False
    return True


def _are_ordinary(left: object, right: object) -> bool:
    """Return whether Python compares two values, whatever they hold: nothing is traced."""
    if ongoing or trace.moved:
        return False
    return is_ordinary(type(left)) and is_ordinary(type(right))


def _search(atom: object, members: Value) -> bool | None:
    """Return whether an atom is in a list or tuple; None if another class of member comes first.

    As in Python, no member after the first equal one is read.
    """
    for member in members:
        if type(member) not in ATOMS:
            return None
        if member is atom or member == atom:
            return True
    return False


def _is_found_by_python(item: object, container: Value) -> bool:
    """Return whether Python alone decides `item in container`, by a cheap test."""
    kind = type(container)
    if kind in ATOMS:
        return type(item) in ATOMS
    if ongoing or trace.moved:
        return False
    if type(item) in ATOMS and (kind is dict or kind is set):
        return True
    kinds = {type(item), kind}
    if kind in _SEQUENCES:
        kinds.update(map(type, container))
    elif library_of(container) is not None:
        return False
    return library_of(item) is None and all(map(is_ordinary, kinds))


def _contains(container: Value, item: Value) -> Any:
    if type(container) in _VIEWS:
        container = list(container)
    for value in (container, item):
        if is_one_of(value):
            return over_alternatives(_contains, container, item)
    if getattr(type(container), "__contains__", container) is None:
        return item in container  # Python's TypeError: the class says that it is no container
    if ongoing:
        method = program_method(container, "__contains__")
        if method is not None:
            return truth_of(method(container, item))
        if _is_searched_by_iteration(container):
            return decided(True, partial(_same, item), container)
    library = library_of(container) or library_of(item)
    if library is None and type(item) is tuple and _holds_staged(item):
        if type(container) is dict:
            library = library_within(item)
        elif type(container) in (set, frozenset):
            return _contains_staged(container, item)
    in_sequence = type(container) in _SEQUENCES
    if library is None and not (in_sequence and _may_be_found(item, container)):
        return item in container
    if in_sequence and any(member is item for member in container):
        return True
    if library is None:
        return _contains_staged(container, item)
    with items_by_library():
        return library.contains(container, item)


def _is_searched_by_iteration(container: object) -> bool:
    """Return whether Python iterates over a container, other than a list or tuple, for `in`."""
    kind = type(container)
    if kind in _SEQUENCES or library_of(container) is not None:
        return False
    method = look_up(kind, "__contains__")
    if method is not None:
        return method in _SEARCHES
    return any(look_up(kind, name) is not None for name in ("__iter__", "__getitem__"))


def _may_be_found(item: object, container: Value) -> bool:
    """Return whether the running program decides which member of a list equals an item."""
    if _holds_staged(container) or _holds_staged(item):
        return True
    if ongoing and any(program_method(each, "__eq__") for each in (item, *container)):
        return True
    kinds = {type(item), *map(type, container)}
    return any(hasattr(kind, "__autograph_refers__") for kind in kinds - ATOMS)


def eq(left: object, right: object) -> Any:
    """Return `left == right`; one of them may be a list, tuple or dict.

    Python compares lengths first, so it would not notice that a list's items moved.

    >>> eq([1], [1])
    True
    """
    try:
        if type(left) in ATOMS and type(right) in ATOMS:
            return left == right
        if _are_ordinary(left, right) or (_is_plain(left) and _is_plain(right)):
            return left == right
        return _equal(held(left), held(right))
    except BaseException as error:
        leave_out(error)
        raise


def ne(left: object, right: object) -> Any:
    """Return `left != right`, as `eq`; of objects, the negation of an `__eq__` of the program."""
    try:
        if type(left) in ATOMS and type(right) in ATOMS:
            return left != right
        if _are_ordinary(left, right) or (_is_plain(left) and _is_plain(right)):
            return left != right
        left, right = listed(held(left)), listed(held(right))
        if _holds_staged(left) or _holds_staged(right) or _negates_equality(left, right):
            return not_(_equal(left, right))
        return left != right
    except BaseException as error:
        leave_out(error)
        raise


def _negates_equality(left: object, right: object) -> bool:
    """Return whether `!=` is the negation of an `__eq__` of the program, and Python's."""
    inherited = all(look_up(type(each), "__ne__") is object.__ne__ for each in (left, right))
    return inherited and any(program_method(each, "__eq__") for each in (left, right))


def compare(left: Value, op: str, right: Value, *rest: Any) -> Any:
    """Return a chained comparison; each operand is evaluated once, and only if Python would.

    >>> compare(1, "<", 2, "<", lambda: 3)
    True
    """
    try:
        result = _COMPARISONS[op](left, right)
        if not rest or result is False:
            return result
        if result is True:
            return compare(right, rest[0], rest[1](), *rest[2:])
        return and_(result, lambda: compare(right, rest[0], rest[1](), *rest[2:]))
    except BaseException as error:
        leave_out(error)
        raise


def _are_alike(left: Value, right: Value) -> bool:
    """Return whether Python compares two values item by item: lists, tuples or dicts."""
    kind = type(left)
    if kind is type(right) and (kind in _SEQUENCES or kind is dict):
        return True
    return compares_as_tuple(kind) and compares_as_tuple(type(right))


def _equal(left: Value, right: Value) -> Any:
    left, right = listed(left), listed(right)
    if is_one_of(right) and type(look_up(type(left), "__eq__")) is FunctionType:
        return right.__autograph_split__(partial(_equal, left))  # a derived class is asked first
    if not _are_alike(left, right) or not (_holds_staged(left) or _holds_staged(right)):
        return left == right
    if len(left) != len(right):
        return False
    if type(left) is not dict:
        return _all_equal(zip(left, right, strict=True))
    if left.keys() != right.keys():
        return False
    return _all_equal((value, right[key]) for key, value in left.items())


def _holds_staged(value: Value) -> bool:
    """Return whether a list, tuple or dict contains, at any depth, a staged value or an object of a
    class with an `__eq__` of the program.
    """
    kind = type(value)
    if not trace.running or not (kind in _SEQUENCES or kind is dict or compares_as_tuple(kind)):
        return False
    items = list(value.values()) if kind is dict else value
    if library_within(items) is not None or any(map(is_one_of, items)):
        return True
    return any(program_method(each, "__eq__") or _holds_staged(each) for each in items)


def _all_equal(pairs: Iterable[tuple[Any, Any]]) -> Any:
    result: Any = True
    for pair in pairs:
        result = and_(result, partial(_same, *pair))
        if result is False:
            return False
    library = library_of(result)
    truth = NotImplemented if library is None else library.builtin("bool", result)
    return result if truth is NotImplemented else truth  # a bool of Python, not of NumPy


def _same(left: object, right: object) -> Any:
    """Return whether two items are identical or equal, as list comparison does."""
    return left is right or _equal(left, right)


def _contains_staged(container: Iterable[Any], item: object) -> Any:
    result: Any = False
    for member in container:
        result = or_(result, partial(_same, member, item))
        if result is True:
            break
    return result


_ORDERS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def _ordered(sign: str, left: Value, right: Value) -> Any:
    """Compare lexicographically: by the first items that differ, else by length."""
    sequences = type(left) is not dict and _are_alike(left, right)
    if not sequences or not (_holds_staged(left) or _holds_staged(right)):
        return _ORDERS[sign](left, right)
    return _ordered_from(0, sign, left, right)


def _ordered_from(position: int, sign: str, left: Sequence[Any], right: Sequence[Any]) -> Any:
    if position == min(len(left), len(right)):
        return _ORDERS[sign](len(left), len(right))
    one, other = left[position], right[position]
    rest = partial(_ordered_from, position + 1, sign, left, right)
    return if_exp(_same(one, other), rest, partial(_ordered, sign, one, other))


_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    **{sign: partial(_ordered, sign) for sign in _ORDERS},
    "==": eq,
    "!=": ne,
    "is": is_,
    "is not": is_not,
    "in": in_,
    "not in": not_in,
}
