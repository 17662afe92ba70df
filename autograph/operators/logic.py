"""`and`, `or`, `not`, `in`, chained comparisons and conditional expressions.

The first operand comes as a value, the others as functions, so that they are evaluated only
where Python evaluates them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from typing import Any

from autograph.errors import StagingError
from autograph.operators.aliases import may_be
from autograph.operators.frames import leave_out
from autograph.operators.moved import held, resolve
from autograph.operators.state import Changes, branch_value, unchanging
from autograph.operators.variables import Conflict, Undefined, conflict_error, ld
from autograph.operators.world import check_read
from autograph.staging import Possible, StagingLibrary, library_of, ongoing

Operand = Callable[[], Any]
Operands = tuple[Operand, ...]


def and_(first: Any, *rest: Operand) -> Any:
    """`first and rest[0]() and ...`.

    >>> and_(1, lambda: 0, lambda: print("not reached"))
    0
    """
    try:
        return _and(first, rest)
    except BaseException as error:
        leave_out(error)
        raise


def or_(first: Any, *rest: Operand) -> Any:
    """`first or rest[0]() or ...`.

    >>> or_(0, lambda: "", lambda: 3)
    3
    """
    try:
        return _or(first, rest)
    except BaseException as error:
        leave_out(error)
        raise


def _and(value: Any, operands: Operands, attempt: bool = False) -> Any:
    """The value of a row of `and`; where `attempt` is set, `Changes` leaves it."""
    for position, operand in enumerate(operands):
        library = library_of(value)
        if library is not None:
            rest = operands[position:]
            try:
                return library.and_(value, _unchanging(library, _and, rest))
            except Changes:
                if attempt:
                    raise
            return _with_changes(library, "and", value, value, partial(_rest, _and, rest), rest)
        if not value:
            return value
        value = operand()
    return value


def _or(value: Any, operands: Operands, attempt: bool = False) -> Any:
    """The value of a row of `or`, as `_and`."""
    for position, operand in enumerate(operands):
        library = library_of(value)
        if library is not None:
            rest = operands[position:]
            try:
                return library.or_(value, _unchanging(library, _or, rest))
            except Changes:
                if attempt:
                    raise
            goes_on = library.not_(value)
            return _with_changes(library, "or", goes_on, value, partial(_rest, _or, rest), rest)
        if value:
            return value
        value = operand()
    return value


def _rest(row: Callable[..., Any], operands: Operands, attempt: bool = False) -> Any:
    return row(operands[0](), operands[1:], attempt)


def _unchanging(library: StagingLibrary, row: Callable[..., Any], operands: Operands) -> Operand:
    """The rest of a row, which `Changes` leaves at its first attempt to change something.

    Each row of operands would be traced twice for the row around otherwise.
    """
    return unchanging(library, partial(_rest, row, operands, True), *operands)


def _with_changes(
    library: StagingLibrary,
    word: str,
    goes_on: Any,
    value: Any,
    rest: Operand,
    reached: Operands,
) -> Any:
    """The value of the other operands if `goes_on`, else that of the first.

    The library may know what the result of two values without a common type is good for.
    """
    if not hasattr(library, "operands"):
        return branch_value(library, goes_on, rest, lambda: value, reached)
    operands = library.operands(word, value, rest)
    return operands.result(branch_value(library, goes_on, operands.second, operands.first, reached))


def not_(value: Any) -> Any:
    """`not value`."""
    try:
        value = resolve(value)
        library = library_of(value)
        return not value if library is None else library.not_(value)
    except BaseException as error:
        leave_out(error)
        raise


def in_(item: Any, container: Any) -> Any:
    """`item in container`."""
    try:
        if ongoing:
            check_read(container)
        item, container = held(item), held(resolve(container))
        library = library_of(container) or library_of(item)
        return item in container if library is None else library.contains(container, item)
    except BaseException as error:
        leave_out(error)
        raise


def not_in(item: Any, container: Any) -> Any:
    """`item not in container`."""
    try:
        if ongoing:
            check_read(container)
        item, container = held(item), held(resolve(container))
        library = library_of(container) or library_of(item)
        if library is None:
            return item not in container
        return library.not_(library.contains(container, item))
    except BaseException as error:
        leave_out(error)
        raise


def eq(left: Any, right: Any) -> Any:
    """`left == right`, of which one may be a list or dict.

    Python compares lengths first, and never looks at what a moved list holds in place of its items.

    >>> eq([1], [1])
    True
    """
    try:
        return held(left) == held(right)
    except BaseException as error:
        leave_out(error)
        raise


def ne(left: Any, right: Any) -> Any:
    """`left != right`, as `eq`."""
    try:
        return held(left) != held(right)
    except BaseException as error:
        leave_out(error)
        raise


def is_(left: Any, right: Any) -> Any:
    """`left is right`; staged where a staged truth value meets True or False.

    Raises: the error of a value that is one of several objects, if one of them may be the other.

    >>> is_(None, None)
    True
    """
    if left is right:
        return True
    if _may_have_moved(left) and _may_have_moved(right):
        left, right = resolve(left), resolve(right)
        if left is right:
            return True
    for value, other in ((left, right), (right, left)):
        if type(value) is Conflict:
            raise conflict_error(value)
        if hasattr(type(value), "__autograph_refers__"):
            _refuse_identity(value, other)
        if type(other) is bool and type(value) is not bool:
            return _is_truth(ld(value), other)
    if ongoing and any(each is right for each in may_be(left)):
        raise _unknown_identity()
    return False


def _may_have_moved(value: Any) -> bool:
    """Whether it is a list or dict, whose items another one may hold by now."""
    kind: Any = type(value)
    return issubclass(kind, (list, dict)) or hasattr(kind, "__autograph_carried__")


def _is_truth(value: Any, truth: bool) -> Any:
    """Whether a value is True, or False, as `truth` says."""
    library = library_of(value)
    represents = False if library is None else getattr(library, "represents_bool", _never)(value)
    if library is None or represents is False:
        return False
    if represents is None:
        raise StagingError(
            f"`is {truth}` asks for the identity of a truth value that is known only when the "
            "program runs.",
            remedy="Test the value itself, or `not` of it.",
        )
    return value if truth else library.not_(value)


def _never(_: Any) -> bool:
    return False


def _refuse_identity(value: Any, other: Any) -> None:
    """Raises StagingError if a value refers to one of several objects, and another may be it."""
    chosen = type(value).__autograph_refers__(value)
    if hasattr(type(other), "__autograph_refers__") or any(each is other for each in chosen):
        raise _unknown_identity()


def _unknown_identity() -> StagingError:
    return StagingError(
        "`is` asks for the identity of an object that a tensor has chosen, which is known only "
        "when the program runs.",
        remedy="Compare an attribute or an item instead.",
    )


def is_not(left: Any, right: Any) -> Any:
    """`left is not right`."""
    return not_(is_(left, right))


def is_none(value: Any) -> Any:
    """`value is None`, where the running program may have to decide.

    >>> is_none(None), is_none(0)
    (True, False)
    """
    if type(value) is Conflict:
        raise conflict_error(value)
    if type(value) is Undefined:
        raise value.error()
    return value.is_none() if issubclass(type(value), Possible) else value is None


def not_none(value: Any) -> Any:
    """`value is not None`, where the running program may have to decide."""
    return not_(is_none(value))


_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": eq,
    "!=": ne,
    "is": is_,
    "is not": is_not,
    "in": in_,
    "not in": not_in,
}


def compare(left: Any, op: str, right: Any, *rest: Any) -> Any:
    """A chained comparison, each operand evaluated once, and only where Python evaluates it.

    >>> compare(1, "<", 2, "<", lambda: 3)
    True
    """
    try:
        result = _COMPARISONS[op](left, right)
        if not rest:
            return result
        return and_(result, lambda: compare(right, rest[0], rest[1](), *rest[2:]))
    except BaseException as error:
        leave_out(error)
        raise


def if_exp(test: Any, if_value: Callable[[], Any], else_value: Callable[[], Any]) -> Any:
    """`if_value() if test else else_value()`.

    >>> if_exp(False, lambda: 1, lambda: 2)
    2
    """
    try:
        library = library_of(test)
        if library is None:
            return if_value() if test else else_value()
        return branch_value(library, test, if_value, else_value)
    except BaseException as error:
        leave_out(error)
        raise
