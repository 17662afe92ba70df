"""Calls of NumPy's functions on traced arrays, their names in Python, and refusals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any, NamedTuple

import numpy as np

from autograph.operators.alternatives import over_alternatives
from autograph.staging import is_one_of, library_of_class, optional
from runtime.core.errors import StagingError
from runtime.core.tensor import TensorLike
from runtime.core.thread import STATE

NEAREST = {
    "angle": "`np.arctan2(z.imag, z.real)`", "argpartition": "np.argsort",
    "block": "np.concatenate", "correlate": "np.convolve", "dsplit": "np.split",
    "eig": "np.linalg.eigh", "eigvals": "np.linalg.eigvalsh",
    "lstsq": "np.linalg.qr", "partition": "np.sort", "ndenumerate": "np.ndindex",
    "piecewise": "np.where", "pinv": "np.linalg.inv", "polyfit": "np.linalg.solve",
    "put": "`x[i] = value`", "tri": "np.tril", "vectorize": "a loop",
}  # fmt: skip
"""The nearest operation to a function that has no row in the tables."""


def unsupported(name: str) -> StagingError:
    """Return the error for a function of NumPy that no table has, as programs write it."""
    nearest = NEAREST.get(name.rpartition(".")[2])
    remedy = f"The nearest is {nearest}." if nearest else "Compute it outside, and pass the result."
    return StagingError(
        f"`{name}` of a traced array has no operation in this runtime.",
        public=NotImplementedError,
        remedy=remedy,
    )


def ufunc_name(ufunc: np.ufunc) -> str:
    """Return the name of a ufunc, of NumPy or of another package, as programs write it."""
    name: str = ufunc.__name__
    return f"np.{name}" if getattr(np, name, None) is ufunc else name


def refuse(what: str, remedy: str, public: type[Exception] = TypeError) -> StagingError:
    """Return the error for a use of an array that a graph cannot express."""
    return StagingError(what, public=public, remedy=remedy)


Function = Callable[..., Any]


class Tables(NamedTuple):
    """What computes on traced arrays.

    Attributes:
      ufuncs: from a ufunc of NumPy to a function of operands.
      other: `other(ufunc, *operands)` applies one that is not among them.
      accumulate: `accumulate(ufunc, array, axis)` returns the results so far.
      functions: from another function of NumPy to one of traced arrays.
      read, assign: read and assign an item.
      rows: returns the items of an array, for loops.
      change: what the method `at` of a ufunc does.
      write: `write(name, result, array)` assigns what a function returns to its argument `out`.
    """

    ufuncs: Mapping[np.ufunc, Function]
    other: Function
    accumulate: Function
    functions: Mapping[Any, Function]
    read: Function
    assign: Function
    rows: Function
    change: Mapping[np.ufunc, Function]
    write: Function


def tables() -> Tables:
    """Return the tables of the library that stages the tensors of this trace."""
    found: Tables = optional(library_of_class(STATE.symbolic), "tables")
    return found


BINARY: dict[str, np.ufunc] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "truediv": np.true_divide,
    "floordiv": np.floor_divide, "mod": np.remainder, "pow": np.power, "matmul": np.matmul,
    "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor,
    "lshift": np.left_shift, "rshift": np.right_shift, "divmod": np.divmod,
}  # fmt: skip
COMPARISONS: dict[str, np.ufunc] = {
    "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal,
    "eq": np.equal, "ne": np.not_equal,
}  # fmt: skip
UNARY: dict[str, np.ufunc] = {
    "neg": np.negative, "pos": np.positive, "abs": np.absolute, "invert": np.invert,
}  # fmt: skip

METHODS: dict[str, Function] = {
    name: getattr(np, name)
    for name in (
        "all", "any", "argmax", "argmin", "argsort", "clip", "cumprod", "cumsum", "diagonal",
        "dot", "max", "mean", "min", "nonzero", "prod", "ravel", "repeat", "reshape", "round",
        "searchsorted", "squeeze", "std", "sum", "swapaxes", "take", "trace", "transpose", "var",
    )
}  # fmt: skip
METHODS["conj"] = METHODS["conjugate"] = np.conjugate

REDUCTIONS: dict[np.ufunc, Any] = {
    np.add: np.sum, np.multiply: np.prod, np.maximum: np.max, np.minimum: np.min,
    np.logical_and: np.all, np.logical_or: np.any,
}  # fmt: skip
RUNNING: dict[np.ufunc, Any] = {np.add: np.cumsum, np.multiply: np.cumprod}


def ufunc_result(ufunc: np.ufunc, *operands: Any) -> Any:
    """Apply a ufunc of NumPy to traced operands.

    Raises:
      StagingError: if no operation computes it.
    """
    if any(map(is_one_of, operands)):
        return over_alternatives(ufunc_result, ufunc, *operands)
    known = tables()
    function = known.ufuncs.get(ufunc)
    return known.other(ufunc, *operands) if function is None else function(*operands)


def function_result(function: Any, *args: Any, **kwargs: Any) -> Any:
    """Apply a function of NumPy to traced arguments; raises as `ufunc_result`."""
    known = tables()
    own = known.functions.get(function)
    if own is None:
        raise unsupported(_name(function))
    if kwargs.get("out") is not None:
        others = {name: value for name, value in kwargs.items() if name != "out"}
        result = function_result(function, *args, **others)
        return known.write(_name(function), result, kwargs["out"])
    try:
        return own(*args, **kwargs)
    except TypeError as error:
        unknown = [each for each in kwargs if each not in signature(own).parameters]
        if not unknown:
            raise
        raise unsupported(f"{_name(function)}({unknown[0]}=...)") from error


def _name(function: Any) -> str:
    module = str(getattr(function, "__module__", "numpy")).replace("numpy", "np", 1)
    name = str(function.__qualname__).removesuffix(".__call__")
    return f"np.{name}" if "._" in module else f"{module}.{name}"  # of a class: np.vectorize


def call_method(function: Any, array: TensorLike, *args: Any, **kwargs: Any) -> Any:
    """Call a function of NumPy as the method of an array: dimensions may be separate arguments."""
    if function is np.conjugate:
        return ufunc_result(function, array) if array.dtype.kind == "c" else array
    if function in (np.reshape, np.transpose) and len(args) > 1:
        return function_result(function, array, args, **kwargs)
    return function_result(function, array, *args, **kwargs)
