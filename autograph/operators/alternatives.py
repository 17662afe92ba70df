"""Values chosen at run time: None or a tensor, one of two functions.

The program can store and pass such a value. A test for None, its truth value and a call with it as
argument are staged, once for each possible value. Any other use takes the only value that is not
None, and raises at run time if None was chosen.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from types import FunctionType
from typing import Any, NoReturn

from autograph import staging
from autograph.conversion.class_facts import look_up
from autograph.operators.branches import value_steps
from autograph.operators.frames import PASSERS, is_hidden, leave_out
from autograph.operators.items import delete_item, set_item
from autograph.operators.moved import resolve
from autograph.operators.results import has_operators, settled
from autograph.operators.sizes import truth_if_asked, truth_of
from autograph.operators.variables import refuse_possible_none
from autograph.reach.classes import attributes_of
from autograph.staging import Alternatives, is_one_of, library_of, ongoing, trace
from autograph.steps import run
from autograph.values import Value


class OneOf(Alternatives):
    """One of `values`, chosen at run time.

    Args:
      values: at least two; one may be None.
      name: the user's name.

    A library derives a class with the index of the chosen value.
    """

    __slots__ = ("__autograph_name__", "__autograph_values__")

    def __init__(self, values: Sequence[Any], name: str) -> None:
        """Store the values, and count the object in the trace."""
        object.__setattr__(self, "__autograph_values__", tuple(values))
        object.__setattr__(self, "__autograph_name__", name)
        trace.alternatives += 1

    def __autograph_is_at__(self, position: int) -> Any:
        """Return, as a staged value, whether the value at a position was chosen."""
        raise NotImplementedError

    def __autograph_with__(self, values: Iterable[Any]) -> OneOf:
        """Return the same choice among other values."""
        raise NotImplementedError

    def __autograph_split__(self, function: Callable[[Any], Any]) -> Any:
        """Call a function on each value, each in its own branch, and return the chosen result."""
        return split(self, function)

    def __autograph_settled__(self) -> Any:
        """Return the value that is not None; raise at run time if None was chosen."""
        return checked(self, "a result for code that is not converted")

    def __autograph_check__(self) -> None:
        """Raise at run time if None was chosen."""
        raise NotImplementedError

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """Raise: `isinstance` outside of operators needs the class during the trace."""
        if asked_by_own_code():
            return type(self)
        raise self.__autograph_refusal__("asked for its class")

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the value; protocol methods are missing."""
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        values = self.__autograph_values__
        if all(_has_method(each, name) for each in values if each is not None):
            return self.__autograph_with__(_method_of(each, name) for each in values)
        return _use(self, lambda value: getattr(value, name))

    def __setattr__(self, name: str, value: object) -> None:
        """Assign an attribute of the value."""
        _use(self, lambda each: setattr(each, name, value))

    def __delattr__(self, name: str) -> None:
        """Delete an attribute of the value."""
        _use(self, lambda each: delattr(each, name))

    def __call__(self, /, *args: object, **kwargs: object) -> Any:
        """Call the value."""
        return _use(self, lambda value: value(*args, **kwargs))

    def __eq__(self, other: object) -> Any:
        """Compare the value; None is a value too."""
        return is_none(self) if other is None else split(self, lambda value: value == other)

    def __ne__(self, other: object) -> Any:
        """Compare the value; None is a value too."""
        if other is None:
            none = is_none(self)
            library = library_of(none)
            return not none if library is None else library.not_(none)
        return split(self, lambda value: value != other)

    def __bool__(self) -> NoReturn:
        """Raise: only operators can stage the truth value."""
        raise self.__autograph_refusal__("asked for its truth by Python")

    def __hash__(self) -> NoReturn:
        """Raise: the value is not known during the trace."""
        raise self.__autograph_refusal__("hashed")

    def __format__(self, spec: str) -> NoReturn:
        """Raise: only operators can stage the text."""
        raise self.__autograph_refusal__("made a text by Python")

    def __array__(self, *args: object, **kwargs: object) -> NoReturn:
        """Raise: NumPy needs the value during the trace."""
        raise self.__autograph_refusal__("made an array of NumPy")

    def __copy__(self) -> OneOf:
        """Return itself: it is immutable."""
        return self

    def __repr__(self) -> str:
        """Show the name and the values."""
        trace.texts_shown += 1
        shown = " or ".join(map(repr, self.__autograph_values__))
        return f"<{self.__autograph_name__}: {shown}>"

    __array_ufunc__ = None


# Python's own messages show this name.
OneOf.__name__ = OneOf.__qualname__ = "value"


def split(
    value: Value, function: Callable[[Any], Any], reached: Sequence[Any] = (), first: int = 0
) -> Any:
    """Call a function on each value, each in its own branch, and return the chosen result.

    Args:
      value: a `OneOf`.
      function: the function.
      reached: the user functions that it calls, and their arguments.
      first: the position of the first value that is not excluded yet.
    """
    values = value.__autograph_values__
    if first == len(values) - 1:
        return function(values[first])
    test = value.__autograph_is_at__(first)
    library = library_of(test)
    if library is None:
        return function(values[first]) if test else split(value, function, reached, first + 1)
    one = partial(function, values[first])
    others = partial(split, value, function, reached, first + 1)
    return run(partial(value_steps, library, test, one, others, (function, *values, *reached)))


def checked(value: Value, use: str = "used") -> Any:
    """Return the value that is not None; raise at run time if None was chosen.

    Raises:
      StagingError: if more than one value is not None.

    >>> checked(3)
    3
    """
    if not is_one_of(value):
        return value
    known = [each for each in value.__autograph_values__ if each is not None]
    if len(known) > 1:
        raise value.__autograph_refusal__(use)
    value.__autograph_check__()
    return known[0]


def for_caller(value: object) -> Any:
    """Return the result of a library function: unchanged for converted code, else settled."""
    frame: Any = sys._getframe(1)
    while frame is not None and is_hidden(frame):
        frame = frame.f_back
    return value if frame is None or has_operators(frame.f_code) else settled(value)


def asked_by_own_code() -> bool:
    """Return whether a library, not the program, reads the property `__class__` that calls this."""
    frame: Any = sys._getframe(2)
    while frame.f_globals.get("__name__") == "abc":
        frame = frame.f_back
    return is_hidden(frame)


def is_none(value: Value) -> Any:
    """Return, as a staged value, whether a `OneOf` is None."""
    for position, each in enumerate(value.__autograph_values__):
        if each is None:
            return value.__autograph_is_at__(position)
    return False


def not_(value: object) -> Any:
    """Return `not value`."""
    try:
        if value is False:
            return True
        if type(value) in staging.by_python:
            return not value
        value = resolve(value)
        if is_one_of(value):
            return split(value, not_)
        value = truth_if_asked(value)
        library = library_of(value)
        return not value if library is None else library.not_(value)
    except BaseException as error:
        leave_out(error)
        raise


def truth(value: object) -> Any:
    """Return the truth of an `Alternatives` or of an object that asks a method of the program.

    The truth may be staged. Any other value is returned itself.

    >>> truth([])
    []
    """
    if issubclass(type(value), Alternatives):
        return split(value, truth_of)
    return truth_if_asked(value) if ongoing else value


def _use(value: Value, function: Callable[[Any], Any]) -> Any:
    """Call a function on the value, which must not be None."""
    known = [each for each in value.__autograph_values__ if each is not None]
    return function(checked(value)) if len(known) == 1 else split(value, function)


def _has_method(value: object, name: str) -> bool:
    represented = getattr(type(value), "__autograph_type__", type)(value)
    return type(look_up(represented, name)) is FunctionType and name not in attributes_of(value)


def _method_of(value: object, name: str) -> Any:
    """Return a bound method; of None, a function that raises as Python does."""
    return getattr(value, name) if value is not None else lambda *_, **__: getattr(value, name)


def over_alternatives(function: Callable[..., Any], *args: object, **kwargs: object) -> Any:
    """Return `function(*args, **kwargs)`, split over the values of `Alternatives` arguments."""
    place: Any
    for place, each in (*enumerate(args), *kwargs.items()):
        if is_one_of(each):
            rest = partial(_with_argument, function, args, kwargs, place)
            return split(each, rest, (function, args, kwargs))
    return function(*args, **kwargs)


def _with_argument(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    place: int | str,
    value: object,
) -> Any:
    """Call a function with one argument, by position or name, replaced."""
    if isinstance(place, str):
        return over_alternatives(function, *args, **{**kwargs, place: value})
    return over_alternatives(function, *args[:place], value, *args[place + 1 :], **kwargs)


def splitting(
    converted: Callable[[Any], Any], f: object, target: Callable[..., Any]
) -> Callable[..., Any]:
    """Return a replacement of `f` that splits calls over the values of its arguments.

    Args:
      converted: returns the replacement of a function.
      f: the function, or an `Alternatives` of functions.
      target: the replacement of `f`.
    """

    def call(*args: object, **kwargs: object) -> Any:
        try:
            given = (f, *args, *kwargs.values())
            refuse_possible_none(given)
            if not any(map(is_one_of, given)):
                return target(*args, **kwargs)
            return over_alternatives(partial(_call, converted), f, *args, **kwargs)
        except BaseException as error:
            leave_out(error)
            raise

    call.__autograph_calls__ = getattr(target, "__autograph_calls__", target)  # type: ignore[attr-defined]
    PASSERS.add(call.__code__)
    return call


def _call(converted: Callable[[Any], Any], f: object, /, *args: object, **kwargs: object) -> Any:
    return converted(f)(*args, **kwargs)


for _passer in (_call, over_alternatives, _with_argument):
    PASSERS.add(_passer.__code__)


def _binary(name: str) -> Callable[[Any, Any], Any]:
    function = getattr(operator, name)
    return lambda self, other: _use(self, lambda value: function(value, other))


def _reflected(name: str) -> Callable[[Any, Any], Any]:
    function = getattr(operator, name)
    return lambda self, other: _use(self, lambda value: function(other, value))


def _of_value(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, *args: _use(self, lambda value: function(value, *args))


def _now(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda self: function(checked(self))


def derived_first(
    operate: Callable[[Any, Any], Any],
    method: Callable[..., Any],
    left: object,
    right: Any,
    *rest: object,
) -> Any:
    """Call the method of a binary operator, `operate`, on the left operand.

    Of a right operand that a staged value chose, an object of a class derived from that of the left
    one is asked first, as in Python.
    """
    if rest or not is_one_of(right):
        return method(left, right, *rest)
    kind = type(left)
    kinds = set(map(type, right.__autograph_values__)) - {kind}
    if not any(issubclass(each, kind) for each in kinds):
        return method(left, right)
    return split(right, partial(operate, left))


_ARITHMETIC = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "lshift", "rshift",
    "and_", "or_", "xor",
)  # fmt: skip

for _name in _ARITHMETIC:
    _word = _name.rstrip("_")
    setattr(OneOf, f"__{_word}__", _binary(_name))
    setattr(OneOf, f"__r{_word}__", _reflected(_name))
    setattr(OneOf, f"__i{_word}__", _binary(f"i{_word}"))
for _name in ("lt", "le", "gt", "ge"):
    setattr(OneOf, f"__{_name}__", _binary(_name))
for _name in ("neg", "pos", "abs", "invert", "getitem", "contains"):
    setattr(OneOf, f"__{_name}__", _of_value(getattr(operator, _name)))
for _name, _change in (("setitem", set_item), ("delitem", delete_item)):
    setattr(OneOf, f"__{_name}__", _of_value(_change))
for _function in (divmod, round):
    setattr(OneOf, f"__{_function.__name__}__", _of_value(_function))
_NOW: tuple[Callable[[Any], Any], ...] = (len, iter, next, reversed, int, float, complex)
for _conversion in (*_NOW, operator.index):
    setattr(OneOf, f"__{_conversion.__name__}__", _now(_conversion))

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    **{f"__{name.rstrip('_')}__": vars(operator)[name] for name in _ARITHMETIC},
    **{f"__{name}__": vars(operator)[name] for name in ("eq", "ne", "lt", "le", "gt", "ge")},
    "__divmod__": divmod,
}
"""Binary operators, by the method of the left operand."""
