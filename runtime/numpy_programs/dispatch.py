"""Calls of NumPy's functions on traced arrays, their names in Python, and refusals."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from autograph.staging import library_of_class, optional
from runtime.core.errors import StagingError
from runtime.core.tensor import TensorLike
from runtime.core.thread import STATE

NEAREST = {
    "convolve": "runtime.nn.conv1d", "correlate": "runtime.nn.conv1d",
    "exp2": "`2.0 ** x`", "float_power": "`x ** y`", "hypot": "`np.sqrt(x * x + y * y)`",
    "log2": "`np.log(x) / np.log(2)`", "log10": "`np.log(x) / np.log(10)`",
    "histogram": "np.bincount", "interp": "np.searchsorted", "lexsort": "np.argsort",
    "partition": "np.sort", "argpartition": "np.argsort", "percentile": "np.sort",
    "quantile": "np.sort", "vectorize": "a loop",
    "lstsq": "runtime.linalg.qr", "pinv": "np.linalg.inv", "eig": "runtime.linalg.eigh",
}  # fmt: skip
"""The nearest operation to a function that has no row in the tables."""


def unsupported(name: str, known: Iterable[str] = ()) -> StagingError:
    """Return the error for a function of NumPy that no table has.

    Args:
      name: the function, as programs write it: `np.interp`.
      known: the functions that the tables have.
    """
    last = name.rpartition(".")[2]
    alike = difflib.get_close_matches(name, known, 1, 0.7)
    nearest = NEAREST.get(last) or (alike[0] if alike else "")
    remedy = f"The nearest is {nearest}." if nearest else "Compute it outside, and pass the result."
    return StagingError(
        f"`{name}` of a traced array has no operation in this runtime.",
        public=NotImplementedError,
        remedy=remedy,
    )


def refuse(what: str, remedy: str, public: type[Exception] = TypeError) -> StagingError:
    """Return the error for a use of an array that a graph cannot express."""
    return StagingError(what, public=public, remedy=remedy)


Function = Callable[..., Any]


class Tables(NamedTuple):
    """What computes on traced arrays.

    Attributes:
      ufuncs: from a ufunc of NumPy to a function of operands.
      functions: from another function of NumPy to one of traced arrays.
      read, assign: read and assign an item.
      rows: returns the items of an array, for loops.
    """

    ufuncs: Mapping[np.ufunc, Function]
    functions: Mapping[Any, Function]
    read: Function
    assign: Function
    rows: Function


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
    known = tables().ufuncs
    function = known.get(ufunc)
    if function is None:
        raise unsupported(f"np.{ufunc.__name__}", (f"np.{each.__name__}" for each in known))
    return function(*operands)


def function_result(function: Any, *args: Any, **kwargs: Any) -> Any:
    """Apply a function of NumPy to traced arguments; raises as `ufunc_result`."""
    known = tables().functions
    own = known.get(function)
    if own is None:
        raise unsupported(_name(function), map(_name, known))
    return own(*args, **kwargs)


def _name(function: Any) -> str:
    module = str(getattr(function, "__module__", "numpy")).replace("numpy", "np", 1)
    return f"{module}.{function.__name__}"


def call_method(function: Any, array: TensorLike, *args: Any, **kwargs: Any) -> Any:
    """Call a function of NumPy as the method of an array: dimensions may be separate arguments."""
    if function is np.conjugate:
        return ufunc_result(function, array)
    if function in (np.reshape, np.transpose) and len(args) > 1:
        return function_result(function, array, args, **kwargs)
    return function_result(function, array, *args, **kwargs)
