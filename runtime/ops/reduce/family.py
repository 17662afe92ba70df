"""Rows of op types of this room: a family states signature, argument text and attributes once."""

from __future__ import annotations

from collections.abc import Callable

from runtime.core.aliases import Array, Axes, AxisLike, Namespace
from runtime.core.node_form import NodeForm
from runtime.core.opdef import NUMERIC, DTypes, Emit, Failure, Grad, Sample, Storage, sample
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base import rules
from runtime.ops.base.arguments import static_axes
from runtime.ops.base.define import OpFunction, define_op, publish
from runtime.ops.base.node_forms import moved_axes
from runtime.ops.base.samples import MATRIX

REDUCTION = NodeForm(
    moved=(moved_axes("reduction_indices"),),
    renamed={"keepdims": "keep_dims"},
    signature="input:T reduction_indices:Tidx | output:T | keep_dims:bool=false T:type "
    "Tidx:type=int32",
)
"""The form of a reduction, also of one that TensorFlow lacks."""

REDUCTION_SAMPLES = (
    sample(MATRIX, axis=None, keepdims=False),
    sample(MATRIX, axis=(0,), keepdims=True),
    sample([[1, 2], [3, 5]], axis=(-1,), keepdims=False),
    sample(7, axis=None, keepdims=False),
)

Reduce = Callable[[Namespace, Array, Axes, bool], Array]
"""`reduce(xp, x, axis, keepdims)`, the computation of a reduction."""


def _reduced(x: Tensor, axis: Axes, keepdims: bool) -> TensorSpec:
    """Return the spec of a tensor after a reduction."""
    return x.spec.with_dims(rules.reduced_dims(x.spec.dims, axis, keepdims))


class Reductions:
    """Rows of reductions of one module.

    >>> rows = Reductions(__name__)
    >>> spread = rows.row(
    ...     "spread",
    ...     lambda xp, x, axis, keepdims: xp.ptp(x, axis=axis, keepdims=keepdims),
    ...     "Largest minus smallest element along axes.",
    ...     "[[1, 5], [3, 2]], axis=1 -> [4 1]",
    ...     op="Spread",
    ... )
    >>> print(spread([[1, 5], [3, 2]], axis=1).numpy())
    [4 1]
    """

    def __init__(self, module: str) -> None:
        self._module = module

    def row(
        self,
        name: str,
        reduce: Reduce,
        about: str,
        example: str,
        *,
        op: str,
        group: DTypes = NUMERIC,
        samples: tuple[Sample, ...] = REDUCTION_SAMPLES,
        grad: Grad | None = None,
        emit: Emit | None = None,
        node: NodeForm = REDUCTION,
    ) -> OpFunction[..., Tensor]:
        """Define a reduction; arguments as of `Elementwise.unary`.

        `reduce(xp, x, axis, keepdims)` computes it.
        """

        def kernel(xp: Namespace, x: Array, axis: Axes, keepdims: bool) -> Array:
            try:
                return reduce(xp, x, axis, keepdims)
            except ValueError:
                rules.normalize_axes(axis or (), x.ndim)
                raise

        defined = define_op(
            op,
            {"input": group},
            _reduced,
            kernel,
            grad=grad,
            failure=Failure.SHAPES,
            storage=Storage.REDUCED,
            emit=emit,
            node=node,
            samples=samples,
        )

        apply = defined.apply

        def function(
            input_tensor: TensorLike,
            axis: AxisLike = None,
            keepdims: bool = False,
            name: str | None = None,
        ) -> Tensor:
            attrs = {"axis": static_axes(axis), "keepdims": bool(keepdims)}
            return apply((input_tensor,), name, attrs)

        rest = f"""
            Args:
              input_tensor: Tensor; each element is {group.name}.
              axis: the axes to reduce, an int or several; None: all.
              keepdims: whether reduced axes stay, with length 1.

            Returns: Tensor of the dtype of `input_tensor`.
            Raises: InvalidArgumentError if an axis is out of range or repeated.
            """
        return publish(function, self._module, name, defined, about, rest, example)
