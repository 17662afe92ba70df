"""Products of matrices."""

from __future__ import annotations

from typing import Any

from runtime.core.opdef import NUMERIC, sample
from runtime.core.shapes import Dims, broadcast
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.arithmetic import multiply
from runtime.ops.convert import one_dtype
from runtime.ops.define import define_op
from runtime.ops.elementwise import sqrt, square
from runtime.ops.reduction import reduce_sum
from runtime.ops.rules import normal_axis

_A = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
_B = [[1.0, 0.0], [2.0, 1.0], [0.0, 3.0]]


def _swapped(dims: tuple[int | None, ...], swap: bool) -> tuple[int | None, ...]:
    return (*dims[:-2], dims[-1], dims[-2]) if swap else dims


def _product(a: Tensor, b: Tensor, transpose_a: bool, transpose_b: bool) -> TensorSpec:
    return spec_of(a.spec.dtype, _product_dims(a.spec.dims, b.spec.dims, transpose_a, transpose_b))


def _product_dims(a: Dims, b: Dims, transpose_a: bool, transpose_b: bool) -> Dims:
    if a is None or b is None:
        return None
    if len(a) < 2 or len(b) < 2:
        raise ValueError(
            f"both operands need at least two dimensions, got {a} and {b}; add one with "
            "runtime.expand_dims, or use runtime.tensordot"
        )
    left, right = _swapped(a, transpose_a), _swapped(b, transpose_b)
    inner = {dim for dim in (left[-1], right[-2]) if dim is not None}
    if len(inner) > 1:
        raise ValueError(f"{left[-1]} columns do not fit {right[-2]} rows")
    batch = broadcast(left[:-2], right[:-2])
    assert batch is not None
    return (*batch, left[-2], right[-1])


def _multiply(xp: Any, a: Any, b: Any, transpose_a: bool, transpose_b: bool) -> Any:
    if min(a.ndim, b.ndim) < 2:
        raise ValueError("both operands need at least two dimensions")
    left = xp.swapaxes(a, -1, -2) if transpose_a else a
    right = xp.swapaxes(b, -1, -2) if transpose_b else b
    return xp.matmul(left, right)


def _op(name: str, samples: Any) -> Any:
    return define_op(name, {"a": NUMERIC, "b": NUMERIC}, _product, _multiply, samples=samples)


_MATMUL = _op(
    "MatMul",
    (
        sample(_A, _B, transpose_a=False, transpose_b=False),
        sample(_A, _A, transpose_a=True, transpose_b=False),
        sample([[1, 2]], [[3, 4]], transpose_a=False, transpose_b=True),
    ),
)
_BATCH = _op("BatchMatMulV2", (sample([_A, _A], _B, transpose_a=False, transpose_b=False),))


def matmul(
    a: TensorLike,
    b: TensorLike,
    transpose_a: bool = False,
    transpose_b: bool = False,
    name: str | None = "MatMul",
) -> Tensor:
    """The product of two matrices, or of each pair of matrices in two batches.

    Args:
      a, b: numbers of one dtype, shapes [..., n, k] and [..., k, m]; what is before broadcasts.
      transpose_a, transpose_b: whether to exchange the last two dimensions first.

    Returns: shape [..., n, m].
    Raises: InvalidArgumentError if the shapes do not fit.

    >>> print(matmul([[1.0, 2.0]], [[3.0], [4.0]]))
    tf.Tensor([[11.]], shape=(1, 1), dtype=float32)
    """
    (x, y), _ = one_dtype("MatMul", [("a", a), ("b", b)])
    batched = max(x.shape.rank or 2, y.shape.rank or 2) > 2
    return (_BATCH if batched else _MATMUL)(  # type: ignore[no-any-return]
        x, y, transpose_a=bool(transpose_a), transpose_b=bool(transpose_b), name=name
    )


def _contracted(a: Tensor, b: Tensor, axes_a: Any, axes_b: Any) -> TensorSpec:
    left, right = a.spec.dims, b.spec.dims
    if left is None or right is None:
        return spec_of(a.spec.dtype, None)
    gone_a = {normal_axis(axis, len(left)) for axis in axes_a}
    gone_b = {normal_axis(axis, len(right)) for axis in axes_b}
    kept = [dim for i, dim in enumerate(left) if i not in gone_a]
    kept += [dim for i, dim in enumerate(right) if i not in gone_b]
    return spec_of(a.spec.dtype, tuple(kept))


_TENSORDOT = define_op(
    "Tensordot",
    {"a": NUMERIC, "b": NUMERIC},
    _contracted,
    lambda xp, a, b, axes_a, axes_b: xp.tensordot(a, b, (axes_a, axes_b)),
    samples=(sample(_A, _B, axes_a=(1,), axes_b=(0,)), sample([1, 2], 3, axes_a=(), axes_b=())),
)


def tensordot(a: TensorLike, b: TensorLike, axes: Any, name: str | None = None) -> Tensor:
    """The sum of products over pairs of axes.

    Args:
      a, b: numbers of one dtype.
      axes: how many of the last axes of `a` meet the first of `b`, or two lists of axes.

    >>> print(tensordot([1, 2], [3, 4], 1))
    tf.Tensor(11, shape=(), dtype=int32)
    """
    (x, y), _ = one_dtype("Tensordot", [("a", a), ("b", b)])
    if isinstance(axes, int):
        axes = (range(-axes, 0), range(axes))
    axes_a, axes_b = (tuple([one] if isinstance(one, int) else one) for one in axes)
    return _TENSORDOT(x, y, axes_a=axes_a, axes_b=axes_b, name=name)


def norm(
    tensor: TensorLike, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The Euclidean length along `axis`.

    >>> print(norm([3.0, 4.0]))
    tf.Tensor(5.0, shape=(), dtype=float32)
    """
    return sqrt(reduce_sum(square(tensor), axis, keepdims), name=name)


def scalar_mul(scalar: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """A tensor times one number.

    >>> print(scalar_mul(2.0, [1.0, 2.0]))
    tf.Tensor([2. 4.], shape=(2,), dtype=float32)
    """
    return multiply(scalar, x, name=name)
