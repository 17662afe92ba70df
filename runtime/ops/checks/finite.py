"""Checks that numbers are finite."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.errors import InvalidArgumentError
from runtime.core.opdef import FLOAT, Effect, sample
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.define import call, define_op


def _numerics(xp: Any, x: Any, message: str) -> Any:
    found = [text for test, text in ((np.isinf, "Inf"), (np.isnan, "NaN")) if test(x).any()]
    if found:
        raise InvalidArgumentError.of(f"{message} : Tensor had {' and '.join(found)} values")
    return x


_CHECK_NUMERICS = define_op(
    "CheckNumerics",
    {"tensor": FLOAT},
    lambda x, message: x.spec,
    _numerics,
    effect=Effect.WRITE,
    debug=True,
    grad=lambda g, y, x, message: (
        call(
            "CheckNumerics",
            g,
            message=f"Not a number (NaN) or infinity (Inf) values detected in gradient. {message}",
        ),
    ),
    samples=(sample([1.0, 2.0], message="of the sample"),),
)


def check_numerics(tensor: TensorLike, message: str, name: str | None = None) -> Tensor:
    """Checks that no element is infinite or NaN; gives the tensor.

    Args:
      tensor: float16, float32 or float64.
      message: what stands first in the error.
      name: the name of the operation.

    Raises: InvalidArgumentError if one is.

    >>> print(check_numerics(1.0, "loss"))
    tf.Tensor(1.0, shape=(), dtype=float32)
    """
    return _CHECK_NUMERICS(tensor, message=message, name=name)


def assert_all_finite(x: TensorLike, message: str, name: str | None = None) -> Tensor:
    """The same as `check_numerics`.

    >>> print(assert_all_finite(1.0, "loss"))
    tf.Tensor(1.0, shape=(), dtype=float32)
    """
    return _CHECK_NUMERICS(x, message=message, name=name)
