"""What Python's operators on tensors do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.core import dtypes
from runtime.core.tensor import Tensor, TensorLike, bind_operators
from runtime.ops import arithmetic, comparison, elementwise, indexing, linalg
from runtime.ops.convert import convert_to_tensor

Binary = Callable[..., Tensor]


def _named(function: Binary, name: str) -> tuple[Binary, Binary]:
    """The operator and its reflected form, with TensorFlow's name for the operation."""

    def forward(x: Any, y: Any) -> Any:
        return NotImplemented if y is None else function(x, y, name=name)

    def reflected(x: Any, y: Any) -> Any:
        return NotImplemented if y is None else function(y, x, name=name)

    return forward, reflected


def _logical(on_bools: Binary, on_integers: Binary, name: str) -> Binary:
    def apply(x: TensorLike, y: TensorLike, name: str = name) -> Tensor:
        is_bool = any(_dtype_of(operand) is dtypes.bool for operand in (x, y))
        return (on_bools if is_bool else on_integers)(x, y, name=name)

    return apply


def _dtype_of(value: Any) -> Any:
    return dtypes.bool if isinstance(value, bool) else getattr(value, "dtype", None)


def _invert(x: TensorLike) -> Tensor:
    tensor = convert_to_tensor(x)
    if tensor.dtype is dtypes.bool:
        return elementwise.logical_not(tensor)
    return arithmetic.invert(tensor)


def _equal(x: TensorLike, y: TensorLike) -> Any:
    return False if y is None else comparison.equal(x, y)


def _not_equal(x: TensorLike, y: TensorLike) -> Any:
    return True if y is None else comparison.not_equal(x, y)


_BINARY: dict[str, tuple[Binary, str]] = {
    "add": (arithmetic.add, "add"),
    "sub": (arithmetic.subtract, "sub"),
    "mul": (arithmetic.multiply, "mul"),
    "truediv": (arithmetic.divide, "truediv"),
    "floordiv": (arithmetic.floordiv, "floordiv"),
    "mod": (arithmetic.floormod, "FloorMod"),
    "pow": (arithmetic.pow, "pow"),
    "matmul": (linalg.matmul, "matmul"),
    "and": (_logical(comparison.logical_and, arithmetic.bitwise_and, "and"), "and"),
    "or": (_logical(comparison.logical_or, arithmetic.bitwise_or, "or"), "or"),
    "xor": (_logical(comparison.logical_xor, arithmetic.bitwise_xor, "xor"), "xor"),
}

_TABLE: dict[str, Callable[..., Any]] = {
    "neg": elementwise.negative,
    "pos": convert_to_tensor,
    "abs": elementwise.abs,
    "invert": _invert,
    "lt": comparison.less,
    "le": comparison.less_equal,
    "gt": comparison.greater,
    "ge": comparison.greater_equal,
    "eq": _equal,
    "ne": _not_equal,
    "getitem": indexing.getitem,
}


def install() -> None:
    """Gives the operators their meaning."""
    bind_operators(_TABLE)
    for operator, (function, name) in _BINARY.items():
        forward, reflected = _named(function, name)
        bind_operators({operator: forward, f"r{operator}": reflected})


install()
