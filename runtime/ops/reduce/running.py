"""Cumulative sums and products along an axis."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from runtime.core.aliases import Array, Namespace
from runtime.core.node_form import NodeForm
from runtime.core.opdef import NUMERIC, Grad, sample
from runtime.core.shapes import Dims
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base import rules
from runtime.ops.base.arguments import static_int
from runtime.ops.base.define import OpFunction, call, define_op, publish
from runtime.ops.base.node_forms import moved_index
from runtime.ops.base.samples import MATRIX

_FORM = NodeForm(
    moved=(moved_index(1, "axis"),),
    signature="x:T axis:Tidx | out:T | exclusive:bool=false reverse:bool=false T:type "
    "Tidx:type=int32",
)
_SAMPLES = (
    sample([1, 2, 3], axis=0, exclusive=False, reverse=False),
    sample(MATRIX, axis=1, exclusive=True, reverse=True),
    sample(MATRIX, axis=-2, exclusive=False, reverse=False),
    sample(np.zeros((2, 0)), axis=1, exclusive=True, reverse=True),
)


def _checked(dims: Dims, axis: int, **attrs: bool) -> Dims:
    rank = len(dims or ())
    if not -rank <= axis < rank:
        raise ValueError(
            f"ScanOp: Expected scan axis in the range [{-rank}, {rank}), but got {axis}"
        )
    return dims


def _row(
    name: str,
    accumulate: Callable[[Namespace, Array, int], Array],
    neutral: float,
    grad: Grad,
    about: str,
    example: str,
) -> OpFunction[..., Tensor]:
    """Define a cumulative function; `neutral` is the exclusive result of the first element."""

    def kernel(xp: Namespace, x: Array, axis: int, exclusive: bool, reverse: bool) -> Array:
        _checked(x.shape, axis)
        result = accumulate(xp, xp.flip(x, axis) if reverse else x, axis)
        if exclusive and x.shape[axis]:
            first = xp.full_like(xp.take(result, [0], axis=axis), neutral)
            rest = xp.take(result, range(x.shape[axis] - 1), axis=axis)
            result = xp.concatenate([first, rest], axis=axis)
        return xp.flip(result, axis) if reverse else result

    op_name = name.capitalize()
    op = define_op(
        op_name,
        {"x": NUMERIC},
        rules.shaped(_checked),
        kernel,
        grad=grad,
        node=_FORM,
        samples=_SAMPLES,
    )

    apply = op.apply

    def function(
        x: TensorLike,
        axis: int = 0,
        exclusive: bool = False,
        reverse: bool = False,
        name: str | None = None,
    ) -> Tensor:
        position = static_int("axis", axis)
        attrs = {"axis": position, "exclusive": bool(exclusive), "reverse": bool(reverse)}
        return apply((x,), name, attrs)

    rest = """
        Args:
          x: Tensor of at least one dimension, numeric.
          axis: the axis.
          exclusive: whether each result leaves out the element at its own position.
          reverse: whether it runs from the end.

        Returns: Tensor of the shape and dtype of `x`.
        Raises: InvalidArgumentError if there is no such axis.
        """
    return publish(function, __name__, name, op, about, rest, example)


def _cumsum_grad(
    g: Tensor, y: Tensor, x: Tensor, axis: int, exclusive: bool, reverse: bool
) -> tuple[Tensor]:
    return (cumsum(g, axis, exclusive, not reverse),)


def _cumprod_grad(
    g: Tensor, y: Tensor, x: Tensor, axis: int, exclusive: bool, reverse: bool
) -> tuple[Tensor]:
    return (call("DivNoNan", cumsum(y * g, axis, exclusive, not reverse), x),)


cumsum: OpFunction[..., Tensor] = _row(
    "cumsum",
    lambda xp, x, axis: x.cumsum(axis=axis, dtype=x.dtype),
    0,
    _cumsum_grad,
    "Cumulative sum along an axis.",
    "[1, 2, 3] -> [1 3 6]",
)
cumprod = _row(
    "cumprod",
    lambda xp, x, axis: x.cumprod(axis=axis, dtype=x.dtype),
    1,
    _cumprod_grad,
    "Cumulative product along an axis.",
    "[2, 3, 4], exclusive=True -> [1 2 6]",
)
