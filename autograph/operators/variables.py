"""Variables that may have no value, and items assigned in place."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from autograph.operators.frames import leave_out
from autograph.operators.world import refuse_store
from autograph.staging import library_of, ongoing


class Undefined:
    """Stands for a variable that has no value yet.

    >>> x = undefined("x")
    >>> ld(x)
    Traceback (most recent call last):
    ...
    UnboundLocalError: cannot access local variable 'x' where it is not associated with a value
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"<undefined variable {self.name!r}>"

    def free_error(self) -> NameError:
        """What Python raises where an inner function reads it."""
        return NameError(
            f"cannot access free variable {self.name!r} where it is not associated with a value"
            " in enclosing scope",
            name=self.name,
        )

    def error(self) -> UnboundLocalError:
        """What Python raises where a variable without a value is read."""
        return UnboundLocalError(
            f"cannot access local variable {self.name!r} where it is not associated with a value",
            name=self.name,
        )


def undefined(*names: str) -> Any:
    """A variable without a value; a tuple of them for several names."""
    if len(names) == 1:
        return Undefined(names[0])
    return tuple(map(Undefined, names))


def ld(value: Any) -> Any:
    """The value of a variable that may be undefined.

    Raises: UnboundLocalError, with Python's own text, if it is.
    """
    if type(value) is not Undefined:
        return value
    try:
        raise value.error()
    except UnboundLocalError as error:
        leave_out(error)
        raise


def ld_free(value: Any) -> Any:
    """The value of a variable of an enclosing function that may be undefined.

    Raises: NameError, with Python's own text, if it is.
    """
    if type(value) is not Undefined:
        return value
    try:
        raise value.free_error()
    except NameError as error:
        leave_out(error)
        raise


def ldu(read: Callable[[], Any], name: str) -> Any:
    """The value that `read` gives, or an `Undefined` if there is none.

    >>> ldu(lambda: {}["k"], "d['k']")
    <undefined variable "d['k']">
    """
    try:
        return read()
    except (NameError, AttributeError, LookupError, TypeError, RecursionError):
        return Undefined(name)


class _Index:
    """Gives the index that stands in its brackets: `s_[1:2, ...]` is `(slice(1, 2), ...)`."""

    def __getitem__(self, index: Any) -> Any:
        return index


s_ = _Index()


def set_item(target: Any, index: Any, value: Any) -> Any:
    """`target[index] = value`; gives what `target` is afterwards.

    >>> set_item([1, 2], 0, 5)
    [5, 2]
    """
    try:
        library = library_of(target)
        if library is not None:
            return library.set_item(target, index, value)
        if ongoing:
            refuse_store(target)
        target[index] = value
        return target
    except BaseException as error:
        leave_out(error)
        raise


_IN_PLACE: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.iadd,
    "-": operator.isub,
    "*": operator.imul,
    "/": operator.itruediv,
    "//": operator.ifloordiv,
    "%": operator.imod,
    "**": operator.ipow,
    "@": operator.imatmul,
    "&": operator.iand,
    "|": operator.ior,
    "^": operator.ixor,
    "<<": operator.ilshift,
    ">>": operator.irshift,
}


def update_item(target: Any, index: Any, op: str, value: Callable[[], Any]) -> Any:
    """`target[index] op= value()`, evaluated in Python's order; gives what `target` is afterwards.

    >>> update_item([1, 2], 0, "+", lambda: 5)
    [6, 2]
    """
    try:
        item = target[index]
        return set_item(target, index, _IN_PLACE[op](item, value()))
    except BaseException as error:
        leave_out(error)
        raise
