"""Variables that may be unassigned or without a single type."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable
from functools import lru_cache
from types import FunctionType
from typing import Any, NoReturn

from autograph.errors import StagingError
from autograph.operators.frames import leave_out, user_line
from autograph.staging import ATOMS, first_leaf, ongoing
from autograph.values import Value


class Undefined:
    """The value of an unassigned variable.

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
        """Return Python's error for a read by an inner function."""
        return NameError(
            f"cannot access free variable {self.name!r} where it is not associated with a value"
            " in enclosing scope",
            name=self.name,
        )

    def error(self) -> UnboundLocalError:
        """Return Python's error for a read of an unassigned variable."""
        return UnboundLocalError(
            f"cannot access local variable {self.name!r} where it is not associated with a value"
        )


RETURN_VALUE = "return value"
"""The name of the extra output of a branch that returns a value."""

_GENERATED = "retval_"
"""Prefix of the converter's variables for return values; they are read only if assigned."""


def is_generated(value: object) -> bool:
    """Return whether a value is the `Undefined` of a generated variable."""
    return type(value) is Undefined and holds_result(value.name)


def holds_result(name: str) -> bool:
    """Return whether a variable is one of the converter's for return values."""
    return name.startswith(_GENERATED)


class Conflict:
    """The value of a variable whose two branches or iterations assign incompatible types.

    Every use raises; passing it on and reassigning the variable do not.

    Args:
      refusal: creates the error. Its argument describes the use; None: the current line shows it.
      may_be_none: whether one of the values is None.

    >>> y = Conflict(lambda use: TypeError("`y` is 1 or 'a'"))
    >>> y + 1
    Traceback (most recent call last):
    ...
    TypeError: `y` is 1 or 'a'
    """

    __slots__ = ("may_be_none", "refusal")

    def __init__(
        self,
        refusal: Callable[[str | None], BaseException],
        may_be_none: bool = False,
    ) -> None:
        _REFUSAL.__set__(self, refusal)
        _MAY_BE_NONE.__set__(self, may_be_none)


_REFUSAL: Any = Conflict.__dict__["refusal"]
_MAY_BE_NONE: Any = Conflict.__dict__["may_be_none"]


def _refuse(self: Conflict, *args: object, **kwargs: object) -> NoReturn:
    raise conflict_error(self)


def conflict_error(conflict: Conflict, use: str | None = None) -> BaseException:
    """Create the error for a use of a conflict; `use` describes it if no line shows it."""
    error: BaseException = _REFUSAL.__get__(conflict)(use)
    return error


def conflict_is_none(conflict: Conflict) -> bool:
    """Return whether a conflict is None; raise its error if that is unknown."""
    if _MAY_BE_NONE.__get__(conflict):
        raise conflict_error(conflict)
    return False


def with_none(conflict: Conflict) -> Conflict:
    """Return a conflict with the same error that may be None."""
    return Conflict(_REFUSAL.__get__(conflict), may_be_none=True)


def refuse_possible_none(values: Iterable[Any]) -> None:
    """Raise the error of a conflict that may be None, for a function that tests it by `is`."""
    for value in values:
        if type(value) is Conflict:
            conflict_is_none(value)


_ARITHMETIC = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "divmod", "lshift",
    "rshift", "and", "or", "xor",
)  # fmt: skip
_USES = (
    *(f"{side}{name}" for name in _ARITHMETIC for side in ("", "r", "i")),
    "lt", "le", "gt", "ge", "eq", "ne", "hash", "bool", "len", "iter", "next", "reversed",
    "contains", "getitem", "setitem", "delitem", "call", "getattribute", "setattr", "delattr",
    "dir", "repr", "str", "format", "bytes", "int", "float", "complex", "index", "round", "trunc",
    "floor", "ceil", "neg", "pos", "abs", "invert", "enter", "exit", "await", "aiter", "anext",
    "aenter", "aexit", "copy", "deepcopy", "reduce", "reduce_ex", "sizeof", "array",
)  # fmt: skip
for _use in _USES:
    setattr(Conflict, f"__{_use}__", _refuse)


GetState = Callable[[], tuple[Any, ...]]
SetState = Callable[[tuple[Any, ...]], None]


def read_variables(get_state: GetState) -> tuple[Any, ...]:
    """Return the variables of a statement; an unassigned global is an `Undefined`."""
    try:
        return get_state()
    except NameError:
        assert isinstance(get_state, FunctionType)
        names, known = get_state.__code__.co_names, get_state.__globals__
        missing = [name for name in names if name not in known and not hasattr(builtins, name)]
        if not missing:
            raise
        # Not in the module itself: other threads must not see an `Undefined`.
        filled = known | {name: Undefined(name) for name in missing}
        values: tuple[Any, ...] = _with_globals(get_state, filled)()
        return values


def assign_variables(set_state: SetState, values: tuple[Any, ...]) -> None:
    """Assign the variables of a statement; an `Undefined` deletes a global."""
    names = set_state.__code__.co_names
    if not names:
        set_state(values)
        return
    assert isinstance(set_state, FunctionType)
    known = set_state.__globals__
    assigned = dict(known)
    _with_globals(set_state, assigned)(values)
    for name in names:
        if name in assigned and assigned[name] is not known.get(name, assigned):
            if type(assigned[name]) is Undefined:
                known.pop(name, None)
            else:
                known[name] = readable(assigned[name], name)


def forget_results(start: tuple[Any, ...], get_state: GetState | None, set_state: SetState) -> None:
    """Unassign the return values that a loop found unassigned: a return leaves the loop.

    Args:
      start: the variables before the loop.
      get_state, set_state: read and assign them.
    """
    if get_state is not None and any(map(is_generated, start)):
        pairs = zip(read_variables(get_state), start, strict=True)
        values = tuple(old if is_generated(old) else value for value, old in pairs)
        assign_variables(set_state, values)


def readable(value: object, label: str) -> Any:
    """Return the value to assign to an attribute or global, which is read without an operator.

    A list, tuple or dict that only one branch assigns becomes a `Conflict`: a read of its length
    would meet no staged value that could raise.
    """
    if type(value) not in _STRUCTURES or not hasattr(first_leaf(value), "__autograph_defined__"):
        return value

    def refusal(use: str | None) -> BaseException:
        where = f": {use}." if use else f".\n  {user_line()}\n"
        return StagingError(
            f"a staged statement decides whether `{label}` is assigned, and its value is a "
            f"{type(value).__name__}{where}",
            remedy=f"Assign `{label}` before the statement.",
        )

    return Conflict(refusal)


def _with_globals(function: FunctionType, names: dict[str, Any]) -> Callable[..., Any]:
    return FunctionType(function.__code__, names, None, None, function.__closure__)


@lru_cache(4096)
def undefined(*names: str) -> Any:
    """Return an `Undefined`, which has no state; a tuple of them for several names."""
    if len(names) == 1:
        return Undefined(names[0])
    return tuple(map(Undefined, names))


def ld(value: Value) -> Any:
    """Return the value of a variable that may be unassigned.

    Raises:
      UnboundLocalError: with Python's message, if it is unassigned. For a `Conflict`, its error.
    """
    kind = type(value)
    if kind in ATOMS:
        return value
    if kind is not Undefined and kind is not Conflict:
        read = _read_of(kind)
        if read is not None:
            return read(value)
        if ongoing and kind in _STRUCTURES:
            # One leaf suffices: it is assigned if and only if the structure is.
            ld(first_leaf(value))
        return value
    try:
        raise value.error() if kind is Undefined else conflict_error(value)
    except BaseException as error:
        leave_out(error)
        raise


_read_of: Callable[[type], Callable[[Any], Any] | None] = lru_cache(4096)(
    lambda kind: getattr(kind, "__autograph_read__", None)
)
"""From a class to the method of a stand-in that returns its value; None for other classes."""

_STRUCTURES = (list, tuple, dict)


def ld_free(value: Value) -> Any:
    """Return the value of a free variable that may be unassigned.

    Raises:
      NameError: with Python's message, if it is unassigned. For a `Conflict`, its error.
    """
    kind = type(value)
    if kind is not Undefined and kind is not Conflict:
        return ld(value)
    try:
        raise value.free_error() if kind is Undefined else conflict_error(value)
    except BaseException as error:
        leave_out(error)
        raise


def ldu(read: Callable[[], Any], name: str) -> Any:
    """Return the result of `read`, or an `Undefined` if it raises for a missing value.

    >>> ldu(lambda: {}["k"], "d['k']")
    <undefined variable "d['k']">
    """
    try:
        return read()
    except (NameError, AttributeError, LookupError, TypeError, RecursionError):
        return Undefined(name)
