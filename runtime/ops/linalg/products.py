"""Products of matrices and vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.blas import product
from runtime.core.dtypes import int32
from runtime.core.errors import FailedPreconditionError
from runtime.core.opdef import NUMERIC, REAL, Failure, Storage, sample
from runtime.core.shapes import Dims, as_dims, broadcast
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.shaping import expand_dims, reshape, squeeze, transpose
from runtime.ops.base.convert import convert_to_tensor, one_dtype
from runtime.ops.base.define import Op, call, define_op
from runtime.ops.base.rules import normal_axis
from runtime.ops.linalg.einsum import einsum
from runtime.ops.math.arithmetic import multiply
from runtime.ops.math.casting import cast
from runtime.ops.math.complexes import conj

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
        raise ValueError(f"Dimensions must be equal, but are {left[-1]} and {right[-2]}")
    batch = broadcast(left[:-2], right[:-2])
    assert batch is not None
    return (*batch, left[-2], right[-1])


def _multiply(xp: Any, a: Any, b: Any, transpose_a: bool, transpose_b: bool) -> Any:
    for place, operand in enumerate((a, b)):
        if operand.ndim < 2:
            raise ValueError(f"In[{place}] ndims must be >= 2: {operand.ndim}")
    left = xp.swapaxes(a, -1, -2) if transpose_a else a
    right = xp.swapaxes(b, -1, -2) if transpose_b else b
    if left.shape[-1] != right.shape[-2]:
        raise ValueError(
            f"Matrix size-incompatible: In[0]: {list(a.shape)}, In[1]: {list(b.shape)}"
        )
    return product(xp, left, right)


def _product_grad(
    g: Tensor, y: Tensor, a: Tensor, b: Tensor, transpose_a: bool, transpose_b: bool
) -> tuple[Tensor, Tensor]:
    left, right = conj(a), conj(b)
    by_a = (
        matmul(right, g, transpose_a=transpose_b, transpose_b=True)
        if transpose_a
        else matmul(g, right, transpose_b=not transpose_b)
    )
    by_b = (
        matmul(g, left, transpose_a=True, transpose_b=transpose_a)
        if transpose_b
        else matmul(left, g, transpose_a=not transpose_a)
    )
    return by_a, by_b


def _op(name: str, samples: Any) -> Op:
    return define_op(
        name,
        {"a": NUMERIC, "b": NUMERIC},
        _product,
        _multiply,
        grad=_product_grad,
        failure=Failure.SHAPES,
        storage=Storage.NEW,
        samples=samples,
    )


_MATMUL = _op(
    "MatMul",
    (
        sample(_A, _B, transpose_a=False, transpose_b=False),
        sample(_A, _A, transpose_a=True, transpose_b=False),
        sample([[1.0, 2.0]], [[3.0, 4.0]], transpose_a=False, transpose_b=True),
        sample(_A, _B, transpose_a=True, transpose_b=True),
        sample([[1, 2]], [[3, 4]], transpose_a=False, transpose_b=True),
    ),
)
_BATCH = _op(
    "BatchMatMulV2",
    (
        sample([_A, _A], _B, transpose_a=False, transpose_b=False),
        sample([_A], [_B, _B], transpose_a=True, transpose_b=True),
    ),
)


def matmul(
    a: TensorLike,
    b: TensorLike,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    output_type: Any = None,
    grad_a: bool = False,
    grad_b: bool = False,
    name: str | None = None,
) -> Tensor:
    """The product of two matrices, or of each pair of matrices in two batches.

    Args:
      a, b: numbers of one dtype, shapes [..., n, k] and [..., k, m]; what is before broadcasts.
      transpose_a, transpose_b: whether to exchange the last two dimensions first.
      adjoint_a, adjoint_b: whether to exchange them and to conjugate.
      a_is_sparse, b_is_sparse: a hint that most elements are 0, which makes no difference.
      output_type: the dtype of the result; None: that of the operands.
      grad_a, grad_b: a hint that the operand is a gradient, which makes no difference.
      name: the name of the operation.

    Returns: shape [..., n, m].
    Raises: InvalidArgumentError if the shapes do not fit; ValueError if an operand is to be both
      transposed and adjoint.

    >>> print(matmul([[1.0, 2.0]], [[3.0], [4.0]]))
    tf.Tensor([[11.]], shape=(1, 1), dtype=float32)
    """
    for letter, both in (("a", transpose_a and adjoint_a), ("b", transpose_b and adjoint_b)):
        if both:
            raise ValueError(
                f"Only one of `transpose_{letter}` and `adjoint_{letter}` can be True. Received "
                f"`transpose_{letter}`=True, `adjoint_{letter}`=True."
            )
    (x, y), _ = one_dtype("MatMul", [("a", a), ("b", b)])
    x, y = conj(x) if adjoint_a else x, conj(y) if adjoint_b else y
    if output_type is not None:
        x, y = cast(x, output_type), cast(y, output_type)
    batched = max(x.shape.rank or 2, y.shape.rank or 2) > 2
    return (_BATCH if batched else _MATMUL)(
        x,
        y,
        transpose_a=bool(transpose_a or adjoint_a),
        transpose_b=bool(transpose_b or adjoint_b),
        name=name or "MatMul",
    )


def matvec(
    a: TensorLike,
    b: TensorLike,
    transpose_a: bool = False,
    adjoint_a: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:
    """The product of a matrix and a vector, or of each pair in two batches.

    Args:
      a: shape [..., n, k].
      b: shape [..., k], of the same dtype.
      transpose_a, adjoint_a: whether to exchange the last two dimensions of `a` first, and to
        conjugate.
      a_is_sparse, b_is_sparse: a hint that most elements are 0, which makes no difference.
      name: the name of the operation.

    Returns: shape [..., n].

    >>> print(matvec([[1.0, 2.0], [3.0, 4.0]], [1.0, 1.0]))
    tf.Tensor([3. 7.], shape=(2,), dtype=float32)
    """
    (x, y), _ = one_dtype("MatVec", [("a", a), ("b", b)])
    column = expand_dims(y, -1)
    return squeeze(matmul(x, column, transpose_a=transpose_a, adjoint_a=adjoint_a), -1, name=name)


_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def tensordot(a: TensorLike, b: TensorLike, axes: Any, name: str | None = None) -> Tensor:
    """The sum of products over pairs of axes.

    Args:
      a, b: numbers of one dtype.
      axes: how many of the last axes of `a` meet the first of `b`, or two lists of axes.

    Raises: ValueError if the axes do not fit; InvalidArgumentError if their lengths differ.

    >>> print(tensordot([1, 2], [3, 4], 1))
    tf.Tensor(11, shape=(), dtype=int32)
    """
    (x, y), _ = one_dtype("Tensordot", [("a", a), ("b", b)])
    if x.shape.rank is None or y.shape.rank is None:
        return _tensordot_of_any_rank(x, y, axes, name)
    axes_a, axes_b = _pairs(axes, x.shape.rank, y.shape.rank)
    left = list(_LETTERS[: x.shape.rank])
    right = list(_LETTERS[x.shape.rank : x.shape.rank + y.shape.rank])
    for one, other in zip(axes_a, axes_b, strict=True):
        right[other] = left[one]
    target = [c for i, c in enumerate(left) if i not in axes_a]
    target += [c for i, c in enumerate(right) if i not in axes_b]
    return einsum(f"{''.join(left)},{''.join(right)}->{''.join(target)}", x, y, name=name)


def _tensordot_of_any_rank(x: Tensor, y: Tensor, axes: Any, name: str | None) -> Tensor:
    """The product of two matrices: the axes that meet stand last, and first."""
    pairs = _given(axes)
    if isinstance(pairs, int):
        count = pairs
    else:
        count = len(pairs[0])
        x, y = _moved(x, pairs[0], last=True), _moved(y, pairs[1], last=False)
    rows, columns = call("Shape", x, out_type=int32), call("Shape", y, out_type=int32)
    split = call("Size", rows, out_type=int32) - count
    front, inner, rest = rows[:split], rows[split:], columns[count:]
    left = reshape(x, call("Pack", _volume(front), _volume(inner), axis=0))
    right = reshape(y, call("Pack", _volume(columns[:count]), _volume(rest), axis=0))
    return reshape(matmul(left, right), call("ConcatV2", front, rest, axis=0), name=name)


def _volume(dims: Tensor) -> Tensor:
    return call("Prod", dims, axis=None, keepdims=False)


def _moved(x: Tensor, axes: list[int], last: bool) -> Tensor:
    """A tensor of any rank with some axes behind, or before, all others."""
    if not axes:
        return x
    if max(axes) >= 0 > min(axes):
        raise ValueError(
            "tensordot with axes from both ends needs tensors whose ranks are known; say them with "
            "runtime.ensure_shape"
        )
    first = min(0, min(axes))
    letters = _LETTERS[: max(axes) - first + 1] if first == 0 else _LETTERS[:-first]
    chosen = "".join(letters[axis - first] for axis in axes)
    others = "".join(letter for letter in letters if letter not in chosen)
    source, kept = (
        (f"{letters}...", f"{others}...")
        if first == 0
        else (
            f"...{letters}",
            f"...{others}",
        )
    )
    return einsum(f"{source}->{kept}{chosen}" if last else f"{source}->{chosen}{kept}", x)


def _given(axes: Any) -> int | tuple[list[int], list[int]]:
    """How many axes meet, or which."""
    values = static_value(axes) if isinstance(axes, Tensor) else axes
    if values is None:
        raise ValueError("the axes of tensordot have to be known while the graph is recorded")
    if not isinstance(values, (list, tuple)) and np.ndim(values) == 0:
        if int(values) < 0:
            raise ValueError(f"`axes` must be at least 0. Received: {axes}.")
        return int(values)
    if len(values) != 2:
        raise ValueError(f"`axes` must be an integer or have length 2. Received {axes}.")
    first, second = ([int(axis) for axis in np.ravel(part)] for part in values)
    if len(first) != len(second):
        raise ValueError(
            f"Different number of contraction axes `a` and `b`, {len(first)} != {len(second)}."
        )
    return first, second


def _pairs(axes: Any, rank_a: int, rank_b: int) -> tuple[list[int], list[int]]:
    given = _given(axes)
    if isinstance(given, int):
        count = given
        if count > min(rank_a, rank_b):
            raise ValueError(
                "`axes` must not be larger than the number of dimensions of tensor "
                f"{'a' if count > rank_a else 'b'}.  Received {axes}, vs tensor dimensions "
                f"{rank_a if count > rank_a else rank_b}."
            )
        return list(range(rank_a - count, rank_a)), list(range(count))
    first, second = given
    return [normal_axis(i, rank_a) for i in first], [normal_axis(i, rank_b) for i in second]


def matrix_transpose(
    a: TensorLike, name: str = "matrix_transpose", conjugate: bool = False
) -> Tensor:
    """The last two dimensions exchanged.

    Args:
      a: a tensor with at least two dimensions.
      name: the name of the operation.
      conjugate: whether to conjugate too.

    Raises: ValueError if there are fewer than two dimensions.

    >>> print(matrix_transpose([[1, 2, 3]]))
    tf.Tensor(
    [[1]
     [2]
     [3]], shape=(3, 1), dtype=int32)
    """
    x = convert_to_tensor(a)
    rank = x.shape.rank
    if rank is None:
        return einsum("...ij->...ji", conj(x) if conjugate else x)
    if rank < 2:
        raise ValueError(
            f"Argument `a` should be a (batch) matrix with rank >= 2.  Received `a` = {a} with "
            f"shape: {x.shape}"
        )
    order = (*range(rank - 2), rank - 1, rank - 2)
    return transpose(x, order, conjugate=conjugate and x.dtype.is_complex, name=name)


def adjoint(matrix: TensorLike, name: str | None = None) -> Tensor:
    """The last two dimensions exchanged, and the elements conjugated.

    >>> print(adjoint([[1 + 2j, 3]]))
    tf.Tensor(
    [[1.-2.j]
     [3.-0.j]], shape=(2, 1), dtype=complex128)
    """
    return matrix_transpose(matrix, name=name or "adjoint", conjugate=True)


def scalar_mul(scalar: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """A tensor times one number.

    Args:
      scalar: a number, or a tensor without dimensions.
      x: numbers.

    Raises: ValueError if `scalar` has dimensions.

    >>> print(scalar_mul(2.0, [1.0, 2.0]))
    tf.Tensor([2. 4.], shape=(2,), dtype=float32)
    """
    tensor = convert_to_tensor(x)
    factor = convert_to_tensor(scalar, dtype_hint=tensor.dtype)
    if factor.shape.rank not in (0, None):
        raise ValueError(f"The input scalar must be a 0-D value. Received shape {factor.shape}.")
    return multiply(factor, tensor, name=name)


def cross(a: TensorLike, b: TensorLike, name: str | None = None) -> Tensor:
    """The vectors at right angles to pairs of vectors with three elements.

    Args:
      a, b: real numbers of one dtype and shape [..., 3].

    Raises: InvalidArgumentError if the shapes differ; FailedPreconditionError if they do not end
      with 3.

    >>> print(cross([1, 0, 0], [0, 1, 0]))
    tf.Tensor([0 0 1], shape=(3,), dtype=int32)
    """
    return _CROSS(a, b, name=name)


def _cross_spec(a: Tensor, b: Tensor) -> TensorSpec:
    if not a.shape.is_compatible_with(b.shape):
        raise ValueError(f"Both inputs must be of same shape: {a.shape} vs. {b.shape}")
    dims = as_dims(a.shape.merge_with(b.shape))
    if dims is not None and dims[-1:] not in ((3,), (None,)):
        raise ValueError("Cross-products are only defined for 3-element vectors.")
    return spec_of(a.spec.dtype, dims)


def _cross(xp: Any, a: Any, b: Any) -> Any:
    if a.shape != b.shape:
        raise ValueError(f"Both inputs must be of same shape: {a.shape} vs. {b.shape}")
    if a.shape[-1:] != (3,):
        raise FailedPreconditionError.of("Cross-products are only defined for 3-element vectors.")
    after, before = [1, 2, 0], [2, 0, 1]
    return a[..., after] * b[..., before] - a[..., before] * b[..., after]


_CROSS = define_op(
    "Cross",
    {"a": REAL, "b": REAL},
    _cross_spec,
    _cross,
    grad=lambda g, y, a, b: (cross(b, g), cross(g, a)),
    samples=(sample([1.0, 2.0, 3.0], [0.5, -1.0, 2.0]), sample([[1, 2, 3]], [[4, 5, 6]])),
)
