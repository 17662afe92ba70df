"""Functions of Python, applied to each string of a tensor."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core.errors import InvalidArgumentError
from runtime.core.opdef import STRING
from runtime.ops.base.define import Op, define_op


def each(function: Callable[..., Any], dtype: Any, *arrays: Any) -> Any:
    """Applies a function of Python values to each element of arrays that broadcast."""
    given = [np.asarray(array) for array in arrays]
    shape = np.broadcast_shapes(*(array.shape for array in given))
    columns = [np.broadcast_to(array, shape).ravel().tolist() for array in given]
    return np.fromiter(map(function, *columns), dtype, len(columns[0])).reshape(shape)


def decoded(data: bytes) -> str:
    """Bytes as text; what is not UTF-8 comes back from `encoded` as it was."""
    return data.decode(errors="surrogateescape")


def encoded(text: str) -> bytes:
    """Text as bytes."""
    return text.encode(errors="surrogateescape")


def string_op(name: str, function: Callable[..., bytes], *samples: Any) -> Op:
    """An op that makes one string of each."""
    return define_op(
        name,
        {"input": STRING},
        lambda x, **attrs: x.spec,
        lambda xp, x, **attrs: each(functools.partial(function, **attrs), object, x),
        samples=samples,
    )


def invalid(text: str) -> InvalidArgumentError:
    """The error for an argument that an op of strings does not take."""
    return InvalidArgumentError.of(text)
