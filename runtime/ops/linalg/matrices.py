"""What ops of matrices have in common: element types, shape rules, samples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.blas import on_one_thread
from runtime.core.errors import InvalidArgumentError, UnimplementedError
from runtime.core.opdef import DTypes, Grad, Kernel, Sample, sample
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor
from runtime.ops.base.define import Op, define_op

ELEMENTS = DTypes(
    "float32, float64, complex64 or complex128",
    dtypes.float32,
    dtypes.float64,
    dtypes.complex64,
    dtypes.complex128,
)
SQUARE = [[2.0, 1.0], [0.5, 3.0]]
SYMMETRIC = [[4.0, 1.0], [1.0, 3.0]]
TALL = [[1.0, 2.0], [3.0, 4.5], [5.0, 7.0]]
MATRICES = (sample(SQUARE), sample([SQUARE, SYMMETRIC]))


def matrix_dims(x: Tensor) -> tuple[int | None, ...] | None:
    """The shape of matrices. Raises ValueError below two dimensions."""
    dims = x.spec.dims
    if dims is not None and len(dims) < 2:
        raise ValueError(f"Input must have rank >= 2, got shape {list(dims)}")
    return dims


def square_spec(x: Tensor, *others: Tensor, **attrs: Any) -> TensorSpec:
    """Dtype and shape of square matrices. Raises ValueError where they are not square."""
    dims = matrix_dims(x)
    if dims is not None and None not in dims[-2:] and dims[-1] != dims[-2]:
        raise ValueError("Input matrix must be square.")
    return x.spec


def of_squares(kernel: Callable[..., Any]) -> Kernel:
    """A kernel that says in TensorFlow's words what is wrong with a matrix."""

    def checked(xp: Any, x: Any, *others: Any, **attrs: Any) -> Any:
        if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
            raise ValueError("Input matrix must be square.")
        try:
            with on_one_thread(*x.shape[-2:]):
                return kernel(xp, x, *others, **attrs)
        except np.linalg.LinAlgError as error:
            what = "Input matrix" if others else "Input"
            raise InvalidArgumentError.of(f"{what} is not invertible.") from error

    return checked


def op_of_square(
    name: str,
    kernel: Kernel,
    grad: Grad,
    infer: Any = square_spec,
    samples: tuple[Sample, ...] = MATRICES,
) -> Op:
    """An op of one input, square matrices."""
    return define_op(
        name, {"input": ELEMENTS}, infer, of_squares(kernel), grad=grad, samples=samples
    )


def least(a: int | None, b: int | None) -> int | None:
    """The smaller of two lengths; None where that is not known."""
    if 0 in (a, b):
        return 0
    return None if a is None or b is None else min(a, b)


def known_sizes(x: Tensor, what: str) -> tuple[int, int]:
    """Rows and columns. Raises UnimplementedError where they are not known while recording."""
    dims = x.spec.dims
    if dims is None or dims[-1] is None or dims[-2] is None:
        raise UnimplementedError.of(f"the gradient of {what} needs matrices whose size is known")
    return dims[-2], dims[-1]
