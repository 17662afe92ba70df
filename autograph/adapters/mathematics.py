"""Functions of `math` of numbers that are known only when the program runs, with their errors.

>>> import numpy as np
>>> checks = []
>>> print(call("log", np, [np.float64(8.0), np.float64(2.0)], lambda *check: checks.append(check)))
3.0
>>> [bool(fails) for fails, _ in checks]
[False, False, False]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import and_, or_
from typing import Any

INTEGERS = frozenset({"ceil", "floor", "trunc"})
"""Functions that give an int."""

_GROWING = frozenset({"cosh", "exp", "expm1", "sinh"})
"""Functions that leave the range of floats."""

_LIMITED = frozenset(
    {"acos", "acosh", "asin", "atanh", "cos", "fmod", "log", "log10", "log1p", "log2", "sin",
     "sqrt", "tan"}
)  # fmt: skip
"""Functions that are not defined for all numbers: PyTorch and JAX give NaN or infinity there."""

_UNCHECKED = frozenset(
    {"asinh", "atan", "atan2", "copysign", "fabs", "isclose", "isfinite", "isinf", "isnan", "tanh"}
)
FUNCTIONS = INTEGERS | _GROWING | _LIMITED | _UNCHECKED | {"pow"}

Check = Callable[[Any, BaseException], None]


def call(
    name: str, namespace: Any, numbers: Sequence[Any], raise_when: Check, **options: Any
) -> Any:
    """Call a function of `math`.

    Args:
      name: of a function in `FUNCTIONS`.
      namespace: the library's functions, with the names that NumPy and `math` have in common.
      numbers: the arguments, as floating-point scalars.
      raise_when: adds a check to the program: a condition and an error.
      options: further arguments.
    """
    x, *others = numbers
    if name == "isclose":
        return _is_close(x, *others, **options)
    if name == "log" and others:
        one, other = (call(name, namespace, [each], raise_when) for each in numbers)
        raise_when(other == 0, ZeroDivisionError("float division by zero"))
        return one / other
    own: dict[str, Callable[..., Any]] = {"fabs": abs, "pow": pow}
    result = (own.get(name) or getattr(namespace, name))(*numbers)
    if name in _UNCHECKED:
        return result
    is_nan = reduce(or_, map(namespace.isnan, numbers))
    if name in INTEGERS:
        raise_when(is_nan, ValueError("cannot convert float NaN to integer"))
        raise_when(namespace.isinf(x), OverflowError("cannot convert float infinity to integer"))
        return result
    infinite = namespace.isinf(result) & reduce(and_, map(namespace.isfinite, numbers))
    undefined = namespace.isnan(result) & ~is_nan
    at_pole = infinite & (x == 0) if name == "pow" else infinite
    if name not in _GROWING:
        raise_when(undefined | at_pole, ValueError("math domain error"))
    if name not in _LIMITED:
        raise_when(infinite & (x != 0), OverflowError("math range error"))
    return result


def _is_close(a: Any, b: Any, rel_tol: float = 1e-9, abs_tol: float = 0.0) -> Any:
    difference = abs(a - b)
    near = (difference <= rel_tol * abs(a)) | (difference <= rel_tol * abs(b))
    return (a == b) | ((near | (difference <= abs_tol)) & (difference != float("inf")))
