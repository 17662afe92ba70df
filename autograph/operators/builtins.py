"""Replacements of built-in functions in converted code.

`overload_of(len)` is the replacement of `len`. It calls the library of the first staged argument;
without one it is Python's own function. Functions that count frames count the user's frames only.
"""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from typing import Any

from autograph.operators import attributes, items, texts
from autograph.operators.addresses import id_
from autograph.operators.callers import COUNTING
from autograph.operators.frames import leave_out
from autograph.operators.iterators import refuse_unseen
from autograph.operators.moved import listed, resolve
from autograph.operators.sizes import length_of, truth_of
from autograph.staging import ATOMS, PLAIN, library_among, library_of, library_within, ongoing

NAMES = (
    "abs", "all", "any", "bin", "bool", "chr", "complex", "divmod", "enumerate", "filter", "float",
    "hex", "int", "iter", "len", "map", "max", "min", "next", "oct", "pow", "range", "reversed",
    "round", "sorted", "sum", "zip",
)  # fmt: skip
"""The built-in functions that a library may implement."""

_AT_ONCE = frozenset({"all", "any", "max", "min", "sum"})
"""Those that consume their argument before they return, so no later write is missed."""

OVERLOADED = frozenset(
    (
        *NAMES,
        *(each.__name__ for each in (*texts.OVERLOADS, *attributes.OVERLOADS)),
        "id",
        "list",
        "print",
    )
)
"""The built-in functions with an overload."""


def _is_folded(name: str, args: tuple[Any, ...]) -> bool:
    """Return whether `_FOLDS` has the result: a list or tuple is reduced, which may hold staged
    values. `any` and `all` find them on their way."""
    if len(args) != 1 or (type(args[0]) is not list and type(args[0]) is not tuple):
        return False
    return name in _DECIDED_EARLY or library_within(args[0]) is not None


def _decided(operator_name: str, decides: bool, values: Sequence[Any]) -> Any:
    """Return whether a value is as true as `decides`; staged if a value before it is.

    As in Python, no value after the first that decides is read.
    """
    items = iter(values)
    for first in items:
        if type(first) not in ATOMS:
            break
        if bool(first) is decides:
            return decides
    else:
        return not decides
    result: Any = not decides
    for value in map(truth_of, chain((first,), items)):
        library = library_of(result)
        if library is not None:
            result = getattr(library, operator_name)(result, partial(_same, value))
        elif value is decides:
            return decides
        else:
            result = value
    return result


def _same(value: object) -> Any:
    return value


def _extreme(name: str, is_better: Callable[[Any, Any], Any], values: Sequence[Any]) -> Any:
    """Return the first maximum (or minimum)."""
    best = values[0]
    for value in values[1:]:
        test = is_better(value, best)
        library = library_of(test)
        if library is not None:
            choices = partial(_same, (value,)), partial(_same, (best,))
            best = library.cond(test, *choices, (f"the result of `{name}`",))[0]
        elif test:
            best = value
    return best


_FOLDS: dict[str, Callable[[Sequence[Any]], Any]] = {
    "any": partial(_decided, "or_", True),
    "all": partial(_decided, "and_", False),
    "max": partial(_extreme, "max", operator.gt),
    "min": partial(_extreme, "min", operator.lt),
}
"""Reductions of a list with staged values, where Python would need their truth values."""

_DECIDED_EARLY = frozenset({"all", "any"})
"""Those that may return before they have read all values."""


def _overload(
    name: str, original: Callable[..., Any], of_python: Callable[..., Any] | None = None
) -> Callable[..., Any]:
    """Return the replacement of a function, and `of_python` what it does on Python values."""
    of_python = of_python or original
    fold = _FOLDS.get(name)
    value_of = listed if name in _AT_ONCE else resolve

    def call(*args: Any, **kwargs: object) -> Any:
        try:
            plain = ATOMS if ongoing or fold else PLAIN
            for each in args:
                if type(each) not in plain:
                    break
            else:
                if not kwargs:
                    return original(*args)
            if ongoing:
                args = tuple(map(value_of, args))
                refuse_unseen(*args)
            library = library_among(args)
            if library is None and kwargs:
                library = library_among(kwargs.values())
            if library is not None:
                result = library.builtin(name, *args, **kwargs)
                if result is not NotImplemented:
                    return result
            elif fold is not None and not kwargs and _is_folded(name, args):
                return fold(args[0])
            return of_python(*args, **kwargs)
        except BaseException as error:
            leave_out(error)
            raise

    call.__name__ = call.__qualname__ = original.__name__
    return call


def _of_numbers(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return the replacement of a function of `math` that takes lists or tuples of numbers."""

    def call(*args: Any) -> Any:
        try:
            args = tuple(each if library_of(each) is None else list(each) for each in args)
            if all(type(each) is list or type(each) is tuple for each in args):
                library = library_within([*chain.from_iterable(args)])
                if library is not None:
                    result = library.builtin(f"math.{original.__name__}", *args)
                    if result is not NotImplemented:
                        return result
            return original(*args)
        except BaseException as error:
            leave_out(error)
            raise

    return call


MATH = frozenset(
    name for name, value in vars(math).items() if callable(value) and not name.startswith("_")
)
"""The functions of `math`, which a library may implement."""

for _name in NAMES:
    if not hasattr(vars(builtins)[_name], "__name__"):
        # torch.export replaces `max` and `min` by partial functions while it traces.
        raise ImportError(
            f"the built-in function `{_name}` is replaced while autograph is loaded, so its calls "
            "could not be told apart. Convert before, for instance by `autograph.to_graph(f)` "
            "outside of the function that is exported."
        )

OVERLOADS: dict[Any, Callable[..., Any]] = {
    **{each: _overload(each.__name__, each) for each in (vars(builtins)[name] for name in NAMES)},
    bool: _overload("bool", bool, lambda *values: truth_of(*values) if values else False),
    len: _overload("len", len, length_of),
    **{vars(math)[name]: _overload(f"math.{name}", vars(math)[name]) for name in MATH},
    **{each: _of_numbers(each) for each in (math.dist, math.fsum)},
    **COUNTING,
    **attributes.OVERLOADS,
    **items.OVERLOADS,
    isinstance: attributes.is_instance,
    id: id_,
    **texts.OVERLOADS,
    print: texts.overload_of_print(everywhere=False),
}
"""From built-in functions to their replacements."""


def overload_of(function: object) -> Callable[..., Any] | None:
    """Return the replacement of a built-in function; None if it has none.

    >>> overload_of(len)([1, 2])
    2
    >>> overload_of(hash) is None
    True
    """
    return OVERLOADS.get(function)
