"""Variables that may have no value or no single type."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any, NoReturn

from autograph.errors import StagingError
from autograph.operators.frames import leave_out, user_line
from autograph.staging import first_leaf, ongoing


class Undefined:
    """The value of a variable that has none yet.

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


RETURN_VALUE = "return value"
"""The name of the extra output of a branch that returns a value."""

_GENERATED = "retval_"
"""How the converter names a returned value, which it reads only where it is set."""


def is_generated(value: Any) -> bool:
    """Whether a variable without a value is the converter's own."""
    return type(value) is Undefined and value.name.startswith(_GENERATED)


class Conflict:
    """A variable to which two branches, or two iterations, gave values that no one type covers.

    Every use raises. Passing it on and assigning over the variable do not.

    Args:
      refusal: makes the error; its argument says how the program uses the variable, None: at the
        line that runs.
      may_be_none: whether one of the values is None.

    >>> y = Conflict(lambda use: TypeError("`y` is 1 or 'a'"))
    >>> y + 1
    Traceback (most recent call last):
    ...
    TypeError: `y` is 1 or 'a'
    """

    __slots__ = ("may_be_none", "refusal")

    def __init__(
        self, refusal: Callable[[str | None], BaseException], may_be_none: bool = False
    ) -> None:
        _REFUSAL.__set__(self, refusal)
        _MAY_BE_NONE.__set__(self, may_be_none)


_REFUSAL: Any = Conflict.__dict__["refusal"]
_MAY_BE_NONE: Any = Conflict.__dict__["may_be_none"]


def _refuse(self: Conflict, *args: Any, **kwargs: Any) -> NoReturn:
    raise conflict_error(self)


def conflict_error(conflict: Conflict, use: str | None = None) -> BaseException:
    """The error for a use of a conflict; `use` says what it is if no line shows it."""
    error: BaseException = _REFUSAL.__get__(conflict)(use)
    return error


def conflict_is_none(conflict: Conflict) -> bool:
    """Whether a conflict is None. Raises its error if that is not known."""
    if _MAY_BE_NONE.__get__(conflict):
        raise conflict_error(conflict)
    return False


def with_none(conflict: Conflict) -> Conflict:
    """A conflict that raises the same error, of which one of the values is None."""
    return Conflict(_REFUSAL.__get__(conflict), may_be_none=True)


def refuse_possible_none(values: Iterable[Any]) -> None:
    """Raises the error of a conflict that may be None, for a function that asks by `is`."""
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
    """The variables of a statement; a global that is not assigned yet is an `Undefined`."""
    try:
        return get_state()
    except NameError:
        assert isinstance(get_state, FunctionType)
        names, known = get_state.__code__.co_names, get_state.__globals__
        missing = [name for name in names if name not in known and not hasattr(builtins, name)]
        if not missing:
            raise
        # Other threads must not see an `Undefined` in the module.
        filled = known | {name: Undefined(name) for name in missing}
        values: tuple[Any, ...] = _with_globals(get_state, filled)()
        return values


def assign_variables(set_state: SetState, values: tuple[Any, ...]) -> None:
    """Assign the variables of a statement; a global becomes unassigned by an `Undefined`."""
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


def readable(value: Any, label: str) -> Any:
    """What is assigned to an attribute or global, which the program reads without an operator.

    A list, tuple or dict that has no value where a branch did not run is a `Conflict` there: its
    length, for instance, needs no tensor in it.
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


def undefined(*names: str) -> Any:
    """A variable without a value; a tuple of them for several names."""
    if len(names) == 1:
        return Undefined(names[0])
    return tuple(map(Undefined, names))


def ld(value: Any) -> Any:
    """The value of a variable that may be undefined.

    Raises: UnboundLocalError, with Python's own text, if it is; the error of a `Conflict`.
    """
    kind = type(value)
    if kind is not Undefined and kind is not Conflict:
        read = getattr(kind, "__autograph_read__", None)
        if read is not None:
            return read(value)
        if ongoing and kind in _STRUCTURES:
            # The library checks that the structure is assigned where it checks that a part is.
            ld(first_leaf(value))
        return value
    try:
        raise value.error() if kind is Undefined else conflict_error(value)
    except BaseException as error:
        leave_out(error)
        raise


_STRUCTURES = (list, tuple, dict)


def ld_free(value: Any) -> Any:
    """The value of a variable of an enclosing function that may be undefined.

    Raises: NameError, with Python's own text, if it is; the error of a `Conflict`.
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
    """The value that `read` returns, or an `Undefined` if there is none.

    >>> ldu(lambda: {}["k"], "d['k']")
    <undefined variable "d['k']">
    """
    try:
        return read()
    except (NameError, AttributeError, LookupError, TypeError, RecursionError):
        return Undefined(name)
