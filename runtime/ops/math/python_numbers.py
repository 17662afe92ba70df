"""`math`, `int`, `round` and `pow` with a modulus of scalars, with Python's results and errors.

They compute in double precision, as Python does. No gradient flows through them, as none flows
through `float(x)` of a tensor with a value.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array, Namespace
from runtime.core.dtypes import DType
from runtime.core.errors import InvalidArgumentError
from runtime.core.handlers import current_place, raised
from runtime.core.opdef import EXACT, NOT_DIFFERENTIABLE, Effect, Emit, sample
from runtime.core.spec import spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.convert import convert_to_tensor, weakened, weakness
from runtime.ops.base.define import define_op

_TO_INT = frozenset({
    "int", "round", "math.ceil", "math.comb", "math.factorial", "math.floor", "math.gcd",
    "math.isqrt", "math.lcm", "math.perm", "math.trunc", "pow", "the exponent of math.frexp",
})  # fmt: skip
_TO_BOOL = frozenset({"math.isclose", "math.isfinite", "math.isinf", "math.isnan"})
_OF_SEVERAL = frozenset({"dist", "frexp", "fsum", "modf", "prod", "sumprod"})
"""Functions of `math` of or with several values."""


def _distance(*coordinates: float) -> float:
    half = len(coordinates) // 2
    return math.dist(coordinates[:half], coordinates[half:])


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "int": int,
    "pow": pow,
    "round": round,
    **{
        f"math.{name}": function
        for name, function in vars(math).items()
        if callable(function) and not name.startswith("_") and name not in _OF_SEVERAL
    },
    "math.dist": _distance,
    "math.fsum": lambda *values: math.fsum(values),
    "the fraction of math.modf": lambda x: math.modf(x)[0],
    "the integer of math.modf": lambda x: math.modf(x)[1],
    "the mantissa of math.frexp": lambda x: math.frexp(x)[0],
    "the exponent of math.frexp": lambda x: math.frexp(x)[1],
}


def _call(
    xp: Namespace,
    *values: Array,
    function: str,
    options: tuple[tuple[str, Any], ...],
    dtype: DType,
    place: str,
) -> Array:
    given = [np.asarray(value).item() for value in values]
    try:
        result = FUNCTIONS[function](*given, **dict(options))
    except (ArithmeticError, ValueError, TypeError) as error:
        raise raised(error, place) from None
    if dtype.is_integer and not dtype.min <= result <= dtype.max:
        shown = ", ".join(map(str, given))
        raise InvalidArgumentError.of(
            f"{function}({shown}) is {result}, which does not fit into {dtype.name}. Start with a "
            "tensor of a wider dtype, for instance runtime.float64."
        )
    return dtype.as_numpy_dtype(result)


# The effect keeps the check where nothing reads the result, and inside its branch.
_FUNCTION = define_op(
    "PythonFunction",
    {"*values": EXACT},
    lambda *values, function, options, dtype, place: spec_of(dtype, ()),
    _call,
    effect=Effect.WRITE,
    emit=Emit.FUNCTION,
    grad=NOT_DIFFERENTIABLE,
    samples=(
        sample(2.5, function="math.floor", options=(), dtype=dtypes.int32, place=""),
        sample(2.0, 3.0, function="math.pow", options=(), dtype=dtypes.float64, place=""),
    ),
)


def call_python(function: str, *values: TensorLike, **options: object) -> Tensor:
    """Call a Python function of scalars.

    Args:
      function: a key of `FUNCTIONS`.
      values: scalars.
      options: keyword arguments, Python values.

    Returns:
      A tensor that represents a Python number: bool, float64, or for ints int64 if an argument is
      uint32 or has more than 4 bytes, else int32.

    Raises:
      TypeError: if a tensor is not a scalar.
      InvalidArgumentError: if an int does not fit into its dtype. When the graph runs, this and
        what Python raises.

    >>> print(call_python("math.floor", -2.5).numpy(), call_python("math.sqrt", 2.0).numpy())
    -3 1.4142135623730951
    """
    tensors = list(map(_scalar, values))
    for tensor in tensors:
        if tensor.shape.rank:
            raise TypeError(f"{function}() takes a number, not {tensor.spec}")
    dtype = _dtype_of_result(function, tensors)
    found = _FUNCTION(
        *tensors,
        function=function,
        options=tuple(options.items()),
        dtype=dtype,
        place=current_place(ValueError, OverflowError, ZeroDivisionError),
    )
    return weakened(found)


def _scalar(value: TensorLike) -> Tensor:
    """Return a tensor that keeps all digits of a Python number."""
    if isinstance(value, float):
        return convert_to_tensor(value, dtypes.float64)
    if isinstance(value, int) and not dtypes.int32.min <= value <= dtypes.int32.max:
        return convert_to_tensor(value, dtypes.int64)
    return convert_to_tensor(value)


def _dtype_of_result(function: str, tensors: list[Tensor]) -> DType:
    if function in _TO_BOOL:
        return dtypes.bool
    if function in _TO_INT:
        wide = any(each.dtype.size > 4 or each.dtype is dtypes.uint32 for each in tensors)
        return dtypes.int64 if wide else dtypes.int32
    return dtypes.float64


def _rounded(xp: Namespace, x: Array, digits: int, place: str) -> Array:
    kind = np.asarray(x).dtype
    try:
        number = np.asarray(x).item()
        if kind.kind == "f":
            number = float(str(np.asarray(x)[()]))
        return kind.type(round(number, digits))
    except (ArithmeticError, ValueError) as error:
        raise raised(error, place) from None


_ROUND = define_op(
    "PythonRound",
    {"x": EXACT},
    lambda x, digits, place: x.spec,
    _rounded,
    grad=NOT_DIFFERENTIABLE,
    samples=(sample(2.675, digits=2, place=""), sample(1250, digits=-2, place="")),
)


def round_to(x: TensorLike, digits: int) -> Tensor:
    """Return `round(x, digits)` of a scalar, in its dtype.

    Raises: TypeError if `x` is not a scalar.

    >>> print(round_to(2.345, 1).numpy())
    2.3
    """
    tensor = convert_to_tensor(x)
    if tensor.shape.rank:
        raise TypeError(f"round() takes a number, not {tensor.spec}")
    place = current_place(ValueError, OverflowError)
    return weakened(_ROUND(tensor, digits=digits, place=place), weakness(x))
