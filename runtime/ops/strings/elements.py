"""Python functions, applied to each string of a tensor."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array, DTypeLike
from runtime.core.errors import InvalidArgumentError, UnimplementedError
from runtime.core.opdef import STRING, Sample
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base import rules
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import Op, define_op


def each(function: Callable[..., Any], dtype: DTypeLike, *arrays: Array) -> Array:
    """Apply a function of Python values to each element of arrays that broadcast."""
    operands = [np.asarray(array) for array in arrays]
    shape = np.broadcast_shapes(*(array.shape for array in operands))
    columns = [np.broadcast_to(array, shape).ravel().tolist() for array in operands]
    return np.fromiter(map(function, *columns), dtype, len(columns[0])).reshape(shape)


def decoded(data: bytes) -> str:
    """Decode UTF-8; `encoded` restores bytes that are not."""
    return data.decode(errors="surrogateescape")


def encoded(text: str) -> bytes:
    """Undo `decoded`."""
    return text.encode(errors="surrogateescape")


def string_map(name: str, function: Callable[..., bytes], *samples: Sample) -> Op:
    """Define the op type that maps each string to one, by a function of bytes and attributes."""
    return define_op(
        name,
        {"input": STRING},
        rules.same,
        lambda xp, x, **attrs: each(functools.partial(function, **attrs), object, x),
        samples=samples,
    )


def invalid(text: str) -> InvalidArgumentError:
    """Return the error for an argument that a string op does not take."""
    return InvalidArgumentError.of(text)


def check_allowed(attr: str, value: str, allowed: tuple[str, ...]) -> str:
    """Return a value if it is allowed. Raise InvalidArgumentError otherwise."""
    if value not in allowed:
        shown = ", ".join(f'"{one}"' for one in allowed)
        raise invalid(
            f"Value for attr '{attr}' of \"{value}\" is not in the list of allowed values: {shown}"
        )
    return value


def one_string(function: str, input: TensorLike) -> Tensor:
    """Return an argument as a tensor of one string. Raise UnimplementedError for several."""
    x = convert_to_tensor(input, dtypes.string)
    if x.shape.rank != 0:
        raise UnimplementedError.of(
            f"{function} of {x.spec}: the parts of several strings have different numbers, and "
            "there are no ragged tensors; split one string at a time, for instance in a loop that "
            "appends to a list, or cut strings of one length with runtime.strings.substr"
        )
    return x
