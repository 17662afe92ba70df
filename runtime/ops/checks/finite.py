"""Checks for infinity and NaN."""

from __future__ import annotations

import numpy as np

from runtime.core.errors import InvalidArgumentError
from runtime.core.handlers import refuse_handled_by_name
from runtime.core.opdef import FLOAT, Effect, sample
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.aliases import Array, Namespace
from runtime.ops.base.define import op


def _numerics(xp: Namespace, x: Array, message: str) -> Array:
    found = [text for test, text in ((np.isinf, "Inf"), (np.isnan, "NaN")) if test(x).any()]
    if found:
        raise InvalidArgumentError.of(f"{message} : Tensor had {' and '.join(found)} values")
    return x


def _numerics_grad(g: Tensor, y: Tensor, x: Tensor, message: str) -> tuple[Tensor]:
    return (
        check_numerics.op(
            g,
            message=f"Not a number (NaN) or infinity (Inf) values detected in gradient. {message}",
        ),
    )


@op(
    "CheckNumerics",
    {"tensor": FLOAT},
    infer=lambda x, message: x.spec,
    kernel=_numerics,
    effect=Effect.WRITE,
    debug=True,
    grad=_numerics_grad,
    samples=(sample([1.0, 2.0], message="of the sample"),),
)
def check_numerics(tensor: TensorLike, message: str, name: str | None = None) -> Tensor:
    """Return a tensor after checking that it is finite; the gradient is checked too.

    Args:
      tensor: Tensor, floating-point.
      message: first words of the error.

    Returns: `tensor`.
    Raises: InvalidArgumentError if an element is infinite or NaN.

    >>> print(check_numerics(1.0, "loss"))
    tf.Tensor(1.0, shape=(), dtype=float32)
    """
    refuse_handled_by_name(InvalidArgumentError.of(message), "Test for it by an `if`.")
    return check_numerics.op(tensor, message=message, name=name)
