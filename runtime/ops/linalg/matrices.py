"""Shared parts of op types of matrices: dtypes, samples, checks; a decorator for square ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array, Namespace
from runtime.core.errors import InvalidArgumentError
from runtime.core.machine.blas import on_one_thread
from runtime.core.opdef import DTypes, Grad, Infer, Kernel, Sample, sample
from runtime.core.shapes import Dims
from runtime.ops.base import rules
from runtime.ops.base.define import OpFunction, op

P = ParamSpec("P")
R = TypeVar("R")

ELEMENTS = DTypes(
    "float32, float64, complex64 or complex128",
    dtypes.float32,
    dtypes.float64,
    dtypes.complex64,
    dtypes.complex128,
)
SQUARE = [[2.0, 1.0], [0.5, 3.0]]
SYMMETRIC = [[4.0, 1.0], [1.0, 3.0]]
MATRICES = (sample(SQUARE), sample([SQUARE, SYMMETRIC]))


def check_matrices(dims: Dims, **attrs: object) -> Dims:
    """Return a shape. Raise ValueError below two dimensions."""
    if dims is not None and len(dims) < 2:
        raise ValueError(f"Input must have rank >= 2, got shape {list(dims)}")
    return dims


def check_square(dims: Dims, **attrs: object) -> Dims:
    """Return a shape. Raise ValueError if matrices of this shape are not square."""
    check_matrices(dims)
    if dims is not None and None not in dims[-2:] and dims[-1] != dims[-2]:
        raise ValueError("Input matrix must be square.")
    return dims


_SQUARE_SPEC = rules.shaped(check_square)


class SingularMatrixError(InvalidArgumentError, np.linalg.LinAlgError):
    """A matrix is not invertible.

    It is an `InvalidArgumentError`, as in TensorFlow, and the `LinAlgError` that NumPy raises.
    """


def square_op(
    name: str,
    kernel: Kernel,
    grad: Grad,
    *,
    inputs: Sequence[str] = ("input",),
    infer: Infer = _SQUARE_SPEC,
    outputs: int = 1,
    samples: Sequence[Sample] = MATRICES,
) -> Callable[[Callable[P, R]], OpFunction[P, R]]:
    """Define the op type of a public function whose first operand is square matrices.

    NumPy's LinAlgError in the kernel means that one is singular. The operands have one dtype of
    `ELEMENTS`.
    """
    singular = f"{'Input matrix' if len(inputs) > 1 else 'Input'} is not invertible."

    def checked(xp: Namespace, x: Array, *others: Array, **attrs: object) -> Any:
        check_square(x.shape)
        try:
            with on_one_thread(*x.shape[-2:]):
                found = kernel(xp, x, *others, **attrs)
        except np.linalg.LinAlgError as error:
            raise SingularMatrixError.of(singular) from error
        if xp is not np and not _is_finite(xp, found):  # NumPy alone raises
            raise SingularMatrixError.of(singular)
        return found

    return op(
        name,
        dict.fromkeys(inputs, ELEMENTS),
        infer=infer,
        kernel=checked,
        grad=grad,
        outputs=outputs,
        samples=samples,
    )


def _is_finite(xp: Namespace, found: Any) -> bool:
    parts = found if isinstance(found, tuple) else (found,)
    return all(map(bool, (xp.all(xp.isfinite(part)) for part in parts)))


def adjoint_array(xp: Namespace, x: Array) -> Array:
    """Return the conjugate transposes of matrices."""
    return xp.conj(xp.swapaxes(x, -1, -2))
