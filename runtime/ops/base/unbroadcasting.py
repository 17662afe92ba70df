"""The op type that undoes broadcasting, for gradients."""

from __future__ import annotations

from typing import Any

from runtime.core import dtypes
from runtime.core.aliases import Array, Namespace
from runtime.core.node_form import NodeForm, Ref
from runtime.core.opdef import INDEX, NUMERIC, sample
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_value
from runtime.core.tensor import Tensor
from runtime.ops.base.define import call, define_op
from runtime.ops.base.node_forms import Place


def _spec(x: Tensor, target: Tensor) -> TensorSpec:
    known = static_value(target)
    if known is not None:
        return spec_of(x.spec.dtype, tuple(int(dim) for dim in known))
    rank = target.spec.dims[0] if target.spec.dims else None
    return spec_of(x.spec.dtype, None if rank is None else (None,) * rank)


def _summed(xp: Namespace, x: Array, target: Array) -> Any:
    want = tuple(int(dim) for dim in target)
    added = x.ndim - len(want)
    stretched = [i + added for i, dim in enumerate(want) if dim == 1 and x.shape[i + added] != 1]
    axes = (*range(added), *stretched)
    return xp.reshape(xp.sum(x, axis=axes, dtype=x.dtype) if axes else x, want)


def _write(place: Place) -> list[Ref]:
    x, shape = place.inputs
    (dims,) = place.part("Shape", [x], "Shape", out_type=shape.dtype)
    axes, _ = place.part("BroadcastGradientArgs", [shape, dims], "BroadcastGradientArgs")
    (total,) = place.part("Sum", [x, axes], "Sum")
    return place.main("Reshape", [total, shape])


UNBROADCAST_TO = define_op(
    "UnbroadcastTo",
    {"x": NUMERIC, "shape": INDEX},
    _spec,
    _summed,
    grad=lambda g, y, x, shape: (
        call("BroadcastTo", g, call("Shape", x, out_type=dtypes.int32)),
        None,
    ),
    node=NodeForm(write=_write),
    samples=(sample([[1.0, 2.0], [3.0, 4.0]], [2]), sample([[1, 2], [3, 4]], [2, 1])),
)
"""Sums a tensor over the axes along which a smaller one was repeated to fit it."""
