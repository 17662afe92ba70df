"""Products of matrices and vectors."""

from __future__ import annotations

from runtime.core.aliases import Array, Namespace
from runtime.core.node_form import NodeForm
from runtime.core.opdef import NUMERIC, PLAIN, REAL, Emit, Failure, Sample, Storage, sample
from runtime.core.shapes import Dims, broadcast
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import EagerTensor, Tensor, TensorLike
from runtime.ops.array.arranging import roll
from runtime.ops.array.shaping import expand_dims, squeeze, transpose
from runtime.ops.base.convert import convert_to_tensor, one_dtype
from runtime.ops.base.define import Op, define_op
from runtime.ops.math.arithmetic import subtract
from runtime.ops.math.complexes import conj

_A = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
_B = [[1.0, 0.0], [2.0, 1.0], [0.0, 3.0]]


def _product_matrix(a: Dims, b: Dims, transpose_a: bool, transpose_b: bool) -> Dims:
    """Return the last two dimensions of a product. Raises ValueError if the operands do not fit."""
    for place, dims in enumerate((a, b)):
        if dims is not None and len(dims) < 2:
            raise ValueError(
                f"In[{place}] ndims must be >= 2: {len(dims)}. The operands have the shapes {a} "
                f"and {b}; add a dimension with runtime.expand_dims, or use runtime.tensordot"
            )
    if a is None or b is None:
        return None
    rows, inner_a = reversed(a[-2:]) if transpose_a else a[-2:]
    inner_b, columns = reversed(b[-2:]) if transpose_b else b[-2:]
    if None not in (inner_a, inner_b) and inner_a != inner_b:
        raise ValueError(
            f"Dimensions must be equal, but are {inner_a} and {inner_b}. Matrix size-incompatible: "
            f"In[0]: {list(a)}, In[1]: {list(b)}"
        )
    return rows, columns


def _product_spec(a: Tensor, b: Tensor, transpose_a: bool, transpose_b: bool) -> TensorSpec:
    left, right = a.spec.dims, b.spec.dims
    matrix = _product_matrix(left, right, transpose_a, transpose_b)
    if left is None or right is None or matrix is None:
        return spec_of(a.spec.dtype, None)
    batch = broadcast(left[:-2], right[:-2])
    return spec_of(a.spec.dtype, None if batch is None else (*batch, *matrix))


def _product(xp: Namespace, a: Array, b: Array, transpose_a: bool, transpose_b: bool) -> Array:
    if a.ndim < 2 or b.ndim < 2:
        _product_matrix(a.shape, b.shape, transpose_a, transpose_b)
    left = a.swapaxes(-1, -2) if transpose_a else a
    right = b.swapaxes(-1, -2) if transpose_b else b
    try:
        return xp.matmul(left, right)
    except ValueError:
        _product_matrix(a.shape, b.shape, transpose_a, transpose_b)
        raise


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


def _op(name: str, *samples: Sample, emit: Emit | None = None, node: NodeForm = PLAIN) -> Op:
    return define_op(
        name,
        {"a": NUMERIC, "b": NUMERIC},
        _product_spec,
        _product,
        grad=_product_grad,
        failure=Failure.SHAPES,
        storage=Storage.NEW,
        emit=emit,
        node=node,
        samples=samples,
    )


_MATMUL = _op(
    "MatMul",
    sample(_A, _B, transpose_a=False, transpose_b=False),
    sample(_A, _A, transpose_a=True, transpose_b=False),
    sample([[1.0, 2.0]], [[3.0, 4.0]], transpose_a=False, transpose_b=True),
    sample(_A, _B, transpose_a=True, transpose_b=True),
    sample([[1, 2]], [[3, 4]], transpose_a=False, transpose_b=True),
    emit=Emit.PRODUCT,
)
_BATCH_MATMUL = _op(
    "BatchMatMulV2",
    sample([_A, _A], _B, transpose_a=False, transpose_b=False),
    sample([_A], [_B, _B], transpose_a=True, transpose_b=True),
    node=NodeForm(
        renamed={"transpose_a": "adj_x", "transpose_b": "adj_y"},
    ),
)


def matmul(
    a: TensorLike,
    b: TensorLike,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    *,
    name: str | None = None,
) -> Tensor:
    """Multiply matrices.

    Args:
      a: Tensor of shape [..., n, k], numeric.
      b: Tensor of shape [..., k, m] and the dtype of `a`; batch dimensions broadcast.
      transpose_a, transpose_b: whether to transpose the matrices first.
      adjoint_a, adjoint_b: whether to transpose and conjugate them first.

    Returns: Tensor of shape [..., n, m].
    Raises:
      InvalidArgumentError: if the shapes do not fit.
      ValueError: if an operand is both transposed and adjoint.

    >>> print(matmul([[1.0, 2.0], [0.0, 1.0]], [[3.0], [4.0]]).numpy())
    [[11.]
     [ 4.]]
    """
    if (transpose_a and adjoint_a) or (transpose_b and adjoint_b):
        letter = "a" if transpose_a and adjoint_a else "b"
        raise ValueError(
            f"Only one of `transpose_{letter}` and `adjoint_{letter}` can be True. Received "
            f"`transpose_{letter}`=True, `adjoint_{letter}`=True."
        )
    batched = False
    if adjoint_a or adjoint_b or not _are_matrices(a, b):
        (a, b), _ = one_dtype("MatMul", [("a", a), ("b", b)])
        a, b = conj(a) if adjoint_a else a, conj(b) if adjoint_b else b
        batched = len(a.spec.dims or ()) > 2 or len(b.spec.dims or ()) > 2
    attrs = {
        "transpose_a": bool(transpose_a or adjoint_a),
        "transpose_b": bool(transpose_b or adjoint_b),
    }
    return (_BATCH_MATMUL if batched else _MATMUL).apply((a, b), name or "MatMul", attrs)


def _are_matrices(a: TensorLike, b: TensorLike) -> bool:
    """Return whether both are tensors with at most two dimensions and a value."""
    if type(a) is not EagerTensor or type(b) is not EagerTensor:
        return False
    return getattr(a._a, "ndim", 3) <= 2 >= getattr(b._a, "ndim", 3)


def matvec(
    a: TensorLike,
    b: TensorLike,
    transpose_a: bool = False,
    adjoint_a: bool = False,
    *,
    name: str | None = None,
) -> Tensor:
    """Multiply matrices by vectors.

    Args:
      a: Tensor of shape [..., n, k], numeric.
      b: Tensor of shape [..., k] and the dtype of `a`.
      transpose_a: whether to transpose the matrices first.
      adjoint_a: whether to transpose and conjugate them first.

    Returns: Tensor of shape [..., n].
    Raises: InvalidArgumentError if the shapes do not fit.

    >>> print(matvec([[1.0, 2.0], [3.0, 4.0]], [1.0, 1.0]).numpy())
    [3. 7.]
    """
    (x, y), _ = one_dtype("MatVec", [("a", a), ("b", b)])
    column = expand_dims(y, -1)
    return squeeze(matmul(x, column, transpose_a=transpose_a, adjoint_a=adjoint_a), -1, name=name)


def matrix_transpose(
    a: TensorLike, name: str = "matrix_transpose", conjugate: bool = False
) -> Tensor:
    """Transpose matrices: exchange the last two dimensions.

    Args:
      a: Tensor of shape [..., n, m].
      conjugate: whether to conjugate the elements too.

    Returns: Tensor of shape [..., m, n].
    Raises: ValueError below two dimensions.

    >>> print(matrix_transpose([[1, 2, 3]]).numpy())
    [[1]
     [2]
     [3]]
    """
    x = convert_to_tensor(a)
    rank = x.shape.rank
    if rank is None:
        raise ValueError("matrices need a known rank; set it with runtime.ensure_shape")
    if rank < 2:
        raise ValueError(
            f"Argument `a` should be a (batch) matrix with rank >= 2.  Received `a` = {a} with "
            f"shape: {x.shape}"
        )
    order = (*range(rank - 2), rank - 1, rank - 2)
    return transpose(x, order, conjugate=conjugate and x.dtype.is_complex, name=name)


def adjoint(matrix: TensorLike, name: str | None = None) -> Tensor:
    """Conjugate transpose of matrices.

    Args:
      matrix: Tensor of shape [..., n, m].

    Returns: Tensor of shape [..., m, n].

    >>> print(adjoint([[1 + 2j, 3j]]).numpy())
    [[1.-2.j]
     [0.-3.j]]
    """
    return matrix_transpose(matrix, name=name or "adjoint", conjugate=True)


def cross(a: TensorLike, b: TensorLike, name: str | None = None) -> Tensor:
    """Cross product of three-dimensional vectors.

    Args:
      a: Tensor of shape [..., 3], real.
      b: Tensor of the shape and dtype of `a`.

    Returns: Tensor of the shape of `a`.
    Raises: ValueError if the shapes differ, or the last dimension is not 3.

    >>> print(cross([1, 0, 0], [0, 1, 0]).numpy())
    [0 0 1]
    """
    (x, y), _ = one_dtype("Cross", [("a", a), ("b", b)], None, REAL)
    for own, other in ((x, y), (y, x)):
        own.shape.assert_is_compatible_with(other.shape)
        if own.spec.dims is not None and own.spec.dims[-1:] not in ((3,), (None,)):
            raise ValueError(f"Cross-products are only defined for 3-element vectors: {own.shape}")
    first = roll(x, -1, axis=-1) * roll(y, 1, axis=-1)
    return subtract(first, roll(x, 1, axis=-1) * roll(y, -1, axis=-1), name=name)
