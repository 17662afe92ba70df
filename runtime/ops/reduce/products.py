"""The product along axes."""

from __future__ import annotations

from runtime.core.errors import UnimplementedError
from runtime.core.opdef import Emit
from runtime.core.tensor import Tensor
from runtime.ops.array.joining import concat
from runtime.ops.array.shaping import reshape, transpose
from runtime.ops.base import rules
from runtime.ops.base.aliases import Axes
from runtime.ops.base.define import OpFunction, call, shape_of
from runtime.ops.math.complexes import conj
from runtime.ops.reduce.family import Reductions
from runtime.ops.reduce.reduction import spread


def _prod_grad(g: Tensor, y: Tensor, x: Tensor, axis: Axes, keepdims: bool) -> tuple[Tensor]:
    """Multiply by the product of all other elements, without division: left times right ones."""
    rank = x.shape.rank
    if rank is None:
        raise UnimplementedError.of("the gradient of a product needs a tensor whose rank is known")
    (each,) = spread(g, y, x, axis, keepdims)
    gone = range(rank) if axis is None else [rules.normal_axis(a, rank) for a in axis]
    order = (*gone, *(i for i in range(rank) if i not in gone))
    moved = transpose.op(conj(x), perm=order, conjugate=False)
    dims = shape_of(moved)
    count = reduce_prod(dims[: len(gone)])
    flat = reshape.op(moved, concat.op([count], dims[len(gone) :], axis=0))
    left, right = (
        call("Cumprod", flat, axis=0, exclusive=True, reverse=reverse) for reverse in (False, True)
    )
    others = reshape.op(left * right, dims)
    back = tuple(order.index(i) for i in range(rank))
    return (each * transpose.op(others, perm=back, conjugate=False),)


reduce_prod: OpFunction[..., Tensor] = Reductions(__name__).row(
    "reduce_prod",
    lambda xp, x, axis, keepdims: xp.prod(x, axis=axis, keepdims=keepdims, dtype=x.dtype),
    "Product along axes, in the dtype of the input; integers wrap around.",
    "[[1, 2], [3, 4]], axis=1 -> [ 2 12]",
    op="Prod",
    emit=Emit.PROD,
    grad=_prod_grad,
)
