"""The largest and smallest elements, for which a share of wrong ones would be allowed.

Here none is wrong: the arguments that say how many may be are for devices where that is faster.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.errors import InvalidArgumentError
from runtime.core.opdef import FLOAT, sample
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.arguments import static_int
from runtime.ops.define import define_op
from runtime.ops.ranking import put_back
from runtime.ops.results import ApproxTopK
from runtime.ops.rules import normal_axis


def _spec(x: Tensor, k: int, reduction_dimension: int, **attrs: Any) -> tuple[TensorSpec, ...]:
    dims = x.spec.dims
    if dims is None:
        return x.spec, x.spec.with_dtype(dtypes.int32)
    result = list(dims)
    place = normal_axis(reduction_dimension, len(dims))
    own = dims[place]
    if own is not None and own < k:
        raise ValueError(f"input must have at least k columns. Had {own}, needed {k}")
    result[place] = k
    spec = x.spec.with_dims(tuple(result))
    return spec, spec.with_dtype(dtypes.int32)


def _top(
    xp: Any, x: Any, k: int, reduction_dimension: int, is_max_k: bool, **attrs: Any
) -> tuple[Any, Any]:
    place = normal_axis(reduction_dimension, x.ndim)
    if x.shape[place] < k:
        raise ValueError(f"input must have at least k columns. Had {x.shape[place]}, needed {k}")
    order = xp.argsort(-x if is_max_k else x, axis=place, kind="stable")
    first = xp.take(order, np.arange(k), axis=place)
    return xp.take_along_axis(x, first, axis=place), first.astype(np.int32)


def _top_grad(g: Any, y: Any, x: Tensor, **attrs: Any) -> tuple[Tensor | None]:
    return (None if g[0] is None else put_back(g[0], y[1], x, attrs["reduction_dimension"]),)


_OPTIONS = {
    "recall_target": 0.95,
    "reduction_input_size_override": -1,
    "aggregate_to_topk": True,
}
_TOP = define_op(
    "ApproxTopK",
    {"input": FLOAT},
    _spec,
    _top,
    outputs=2,
    grad=_top_grad,
    samples=(
        sample([[3.0, 1.0, 2.0]], k=2, reduction_dimension=-1, is_max_k=True, **_OPTIONS),
        sample([[3.0], [1.0], [2.0]], k=1, reduction_dimension=0, is_max_k=False, **_OPTIONS),
    ),
)


def approx_top_k(
    input: TensorLike,
    k: int,
    reduction_dimension: int = -1,
    recall_target: float = 0.95,
    is_max_k: bool = True,
    reduction_input_size_override: int = -1,
    aggregate_to_topk: bool = True,
    name: str | None = None,
) -> ApproxTopK:
    """The `k` largest or smallest elements along an axis, and where they are.

    Args:
      input: floating-point numbers.
      k: how many.
      reduction_dimension: the axis.
      recall_target: the share of them that has to be right; all of them are.
      is_max_k: whether the largest are wanted; otherwise the smallest.
      reduction_input_size_override, aggregate_to_topk: make no difference.
      name: the name of the operation.

    Returns: `values` and int32 `indices`; of equal elements the one with the lower index comes
      first.
    Raises: InvalidArgumentError if there are fewer elements than `k`.

    >>> values, indices = approx_top_k([1.0, 5.0, 3.0], k=2)
    >>> print(values, indices)
    tf.Tensor([5. 3.], shape=(2,), dtype=float32) tf.Tensor([1 2], shape=(2,), dtype=int32)
    """
    count = static_int("k", k)
    if count < 0:
        raise InvalidArgumentError(
            None, None, f"Value for attr 'k' of {count} must be at least minimum 0"
        )
    parts = _TOP.outputs(
        input,
        k=count,
        reduction_dimension=int(reduction_dimension),
        recall_target=float(recall_target),
        is_max_k=bool(is_max_k),
        reduction_input_size_override=int(reduction_input_size_override),
        aggregate_to_topk=bool(aggregate_to_topk),
        name=name,
    )
    return ApproxTopK(*parts)


def approx_max_k(
    operand: TensorLike,
    k: int,
    reduction_dimension: int = -1,
    recall_target: float = 0.95,
    reduction_input_size_override: int = -1,
    aggregate_to_topk: bool = True,
    name: str | None = None,
) -> ApproxTopK:
    """The `k` largest elements along an axis, and where they are; arguments as in `approx_top_k`.

    >>> print(approx_max_k([1.0, 5.0, 3.0], k=1).indices)
    tf.Tensor([1], shape=(1,), dtype=int32)
    """
    return approx_top_k(
        operand,
        k,
        reduction_dimension,
        recall_target,
        True,
        reduction_input_size_override,
        aggregate_to_topk,
        name,
    )


def approx_min_k(
    operand: TensorLike,
    k: int,
    reduction_dimension: int = -1,
    recall_target: float = 0.95,
    reduction_input_size_override: int = -1,
    aggregate_to_topk: bool = True,
    name: str | None = None,
) -> ApproxTopK:
    """The `k` smallest elements along an axis, and where they are; arguments as in `approx_top_k`.

    >>> print(approx_min_k([1.0, 5.0, 3.0], k=1).indices)
    tf.Tensor([0], shape=(1,), dtype=int32)
    """
    return approx_top_k(
        operand,
        k,
        reduction_dimension,
        recall_target,
        False,
        reduction_input_size_override,
        aggregate_to_topk,
        name,
    )
