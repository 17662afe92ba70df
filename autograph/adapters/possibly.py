"""Variables that have a value only if a branch was taken or a loop ran.

A staged `if` has one output for each variable, also for one that only one branch assigns. Such a
variable holds a `Possibly`. The flags that the converter makes for `return` and `break` often say
whether there is a value: `y` below is read only where `do_return` is false.

    if x > 0:
        if x > 5:
            return x
        y = 3
    else:
        y = 4
    return y

So a `Possibly` remembers under which outcome of which tests it has a value, and gives it where
one of these tests is known. Everywhere else, reading it is refused.
"""

from __future__ import annotations

import threading
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, NamedTuple

from autograph import staging
from autograph.adapters.forms import subject
from autograph.adapters.refusals import Place, asked_by_program, refusal, user_place
from autograph.boundary import boundary
from autograph.errors import StagingError
from autograph.operators.moved import Parted
from autograph.operators.variables import Undefined, holds_result


@dataclass(frozen=True, eq=False)
class Guard:
    """A test, and the outcome with which a variable has a value."""

    test: Any
    outcome: bool

    def says(self, other: Guard) -> bool:
        """Return whether it is the same test with the same outcome."""
        return self.test is other.test and self.outcome == other.outcome


class Claim(NamedTuple):
    """A variable and a flag, by position: the variable has a value when the flag is `outcome`."""

    variable: int
    flag: int
    outcome: bool


class _Known(threading.local):
    def __init__(self) -> None:
        self.tests: list[Guard] = []
        self.blocks = 0


_known = _Known()


_negated: dict[int, tuple[weakref.ref[Any], Any]] = {}


def negation(value: object, negated: object) -> Any:
    """Record that `negated` is `not value` (weakly, where its class allows that); return it."""
    key = id(negated)
    if _is_weak(negated):
        _negated[key] = (weakref.ref(negated, lambda _: _negated.pop(key, None)), value)
    return negated


WeakGuard = tuple[weakref.ref[Any], bool]

_implied: dict[int, tuple[weakref.ref[Any], bool, list[WeakGuard]]] = {}


def implying(test: Any, outcome: bool, guards: list[WeakGuard]) -> Any:
    """Record what holds if `test` has an outcome; return the test."""
    key = id(test)
    if _is_weak(test):
        _implied[key] = weakref.ref(test, lambda _: _implied.pop(key, None)), outcome, guards
    return test


def weak_outcomes(test: object, outcome: bool) -> list[WeakGuard]:
    """Return what `outcomes` does, without keeping a test alive."""
    guards = outcomes(test, outcome)
    return [(weakref.ref(each.test), each.outcome) for each in guards if _is_weak(each.test)]


def _is_weak(value: object) -> bool:
    return bool(type(value).__weakrefoffset__)


def outcomes(test: object, outcome: bool) -> list[Guard]:
    """Return what is known if a test has an outcome: of itself, and of what it is made of.

    >>> flag = object()
    >>> [known.outcome for known in outcomes(flag, True) if known.test is flag]
    [True]
    """
    known = [Guard(test, outcome)]
    while id(test) in _negated:
        test, outcome = _negated[id(test)][1], not outcome
        known.append(Guard(test, outcome))
    for guard in tuple(known):
        _, implying_outcome, implied = _implied.get(id(guard.test), (None, None, ()))
        if guard.outcome is implying_outcome:
            known += [Guard(part(), told) for part, told in implied if part() is not None]
    return known


@contextmanager
def assumptions() -> Iterator[None]:
    """A block of a program, while it is traced: at its end what `assume` told is forgotten."""
    count = len(_known.tests)
    _known.blocks += 1
    try:
        yield
    finally:
        _known.blocks -= 1
        del _known.tests[count:]


def assume(test: object, outcome: bool) -> None:
    """From here to the end of the block the test has this outcome: the other one raises."""
    if _known.blocks:  # else nothing would forget it
        _known.tests += outcomes(test, outcome)


@contextmanager
def assuming(test: object, outcome: bool) -> Iterator[None]:
    """While a branch is traced: the test that leads to it has this outcome."""
    with assumptions():
        assume(test, outcome)
        yield


class Held(ABC):
    """A value that is read only where the tests around say that it is there.

    Args:
      held: the value, or a placeholder of the same form.
      name: the user's name for it.
    """

    __slots__ = ("held", "name", "place")

    def __init__(self, held: object, name: str) -> None:
        """Store the parts."""
        self.held = held
        self.name = name
        self.place = user_place()

    @abstractmethod
    def read(self) -> Any:
        """Return the value. Raises StagingError where it may not be there."""

    def __repr__(self) -> str:
        """Return a short text without reading the value."""
        return f"<{self.name}, not always there>"

    def __getattr__(self, attribute: str) -> Any:
        """Return an attribute of the value."""
        if attribute in ("aval", "__torch_function__", "__array__", "__array_interface__"):
            raise AttributeError(attribute)
        return getattr(self.read(), attribute)


class Possibly(Held):
    """The value of a variable that may have none.

    Args:
      held, name: see `Held`.
      guards: when it has a value.
    """

    __slots__ = ("guards",)

    def __init__(self, held: object, name: str, guards: tuple[Guard, ...]) -> None:
        """Store the parts."""
        super().__init__(held, name)
        self.guards = guards

    @property
    def certain(self) -> bool:
        """Return whether the tests around this place say that there is a value."""
        return type(self.held) is not Undefined and any(
            guard.says(known) for guard in self.guards for known in _known.tests
        )

    @property
    def __autograph_defined__(self) -> bool:
        """Return True where there is a value. Raises StagingError where there may be none."""
        if self.certain:
            return True
        raise refusal(
            f"a staged statement decides whether {subject(self.name)} has a value.",
            "Assign it before the statement.",
            place=self.place,
        )

    @property
    def __autograph_value__(self) -> Any:
        """The value."""
        return self.held

    def read(self) -> Any:
        """Return the value. Raises StagingError where there may be none."""
        if self.certain:
            return self.held
        if holds_result(self.name):
            raise refusal(
                "the function returns a value only if a branch of this staged statement was taken, "
                "or a loop got to its `return`.",
                "Return a value of the same type after the statement, too.",
                UnboundLocalError,
                self.place,
            )
        raise refusal(
            f"{subject(self.name)} is read, but has a value only if a branch of this staged "
            "statement was taken or a loop ran.",
            f"Assign it before the statement or in every branch: {subject(self.name)} needs a "
            "value of one type, whatever is decided when the program runs.",
            UnboundLocalError,
            self.place,
        )


class Maybe(Held):
    """The value of a variable that the program tests for None, and that may be None.

    Args:
      held: the value, or a placeholder of the same form.
      name: the user's name for it.
      flag: whether it is not None, as a bool scalar.
    """

    __slots__ = ("flag",)

    def __init__(self, held: object, name: str, flag: object) -> None:
        """Store the parts."""
        super().__init__(held, name)
        self.flag = flag

    def is_none(self) -> bool | None:
        """Return whether the tests around this place say that it is None; None: they do not."""
        for known in _known.tests:
            if known.test is self.flag:
                return not known.outcome
        return None

    def __autograph_is_none__(self) -> Any:
        """Return `self is None`."""
        known = self.is_none()
        if known is not None:
            return known
        library = staging.library_of_class(type(self))
        assert library is not None  # the adapter registers the class
        return library.not_(self.flag)

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """Refuse `isinstance` of the program where it may be None."""
        if self.is_none() is None and asked_by_program():
            raise self.refusal()
        return type(self)

    def __autograph_type__(self) -> type:
        """Return the class of the value. Raises StagingError where it may be None."""
        return type(self.read())

    def read(self) -> Any:
        """Return the value. Raises StagingError where it may be None."""
        if self.is_none() is False:
            return self.held
        raise self.refusal()

    def refusal(self, place: Place | None = None) -> StagingError:
        """Return the error for a use where it may be None."""
        return refusal(
            f"{subject(self.name)} is used where it may be None.",
            f"Use it where a test says that {subject(self.name)} is not None, or start with a "
            "value of the same type.",
            place=place,
        )


def read_outside(value: Held) -> Any:
    """Return the value that leaves a program. Raises what users see where there may be none."""
    with nullcontext() if staging.calls.running else boundary():
        if isinstance(value, Maybe):
            raise value.refusal(value.place)
        return value.read()


def refuse_outside(value: Parted) -> Any:
    """Raise what users see for a list or dict that refuses every use and leaves a program."""
    with nullcontext() if staging.calls.running else boundary():
        value.refuse()


def _reading(method: str) -> Callable[..., Any]:
    def read(self: Held, *args: object) -> Any:
        # Python does not ask the right operand of two of one class.
        values = [each.read() if isinstance(each, Held) else each for each in args]
        return getattr(self.read(), method)(*values)

    def operator(self: Held, *args: object) -> Any:
        value = self.read()
        if not hasattr(value, method):
            return NotImplemented
        return read(self, *args)

    operator.__name__ = operator.__qualname__ = method
    return operator


_BINARY = (
    "add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "divmod", "pow", "lshift",
    "rshift", "and", "xor", "or",
)  # fmt: skip
_OTHERS = (
    "lt", "le", "gt", "ge", "eq", "ne", "neg", "pos", "abs", "invert", "bool", "int", "float",
    "complex", "index", "len", "iter", "contains", "getitem", "setitem", "call", "format", "round",
)  # fmt: skip
_PREFIXED = [f"{prefix}{name}" for prefix in ("", "r", "i") for name in _BINARY]
_METHODS = [f"__{name}__" for name in (*_PREFIXED, *_OTHERS)]
for _method in _METHODS:
    setattr(Held, _method, _reading(_method))


def resolved(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the values, with those read of which the tests around say that they are there."""
    return tuple(map(_resolved, values))


def _resolved(value: object) -> Any:
    if isinstance(value, Maybe):
        known = value.is_none()
        return value if known is None else None if known else value.held
    return value.held if isinstance(value, Possibly) and value.certain else value


def has_value(values: tuple[Any, ...], claim: Claim) -> bool:
    """Return whether a claim holds for these values of all variables."""
    value, flag = values[claim.variable], values[claim.flag]
    if type(flag) is bool and flag is not claim.outcome:
        return True
    if isinstance(value, Possibly):
        wanted = Guard(flag, claim.outcome)
        return any(guard.says(wanted) for guard in value.guards)
    return type(value) is not Undefined


def claims_about(uncertain: list[int], flags: list[int]) -> list[Claim]:
    """All claims that could hold."""
    return [
        Claim(variable, flag, outcome)
        for variable in uncertain
        for flag in flags
        for outcome in (True, False)
    ]
