"""Op types that conversion to tensors needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.core import dtypes
from runtime.core.dispatch import bracketed, execute
from runtime.core.node_form import NodeForm
from runtime.core.opdef import (
    ANY,
    EXACT,
    Emit,
    Failure,
    OpDef,
    lookup,
    register,
    sample,
)
from runtime.core.shapes import Dims, TensorShape, as_dims, compatible
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor
from runtime.ops.base.aliases import Array, Namespace


def _packed_dims(shapes: Sequence[Dims], axis: int) -> Dims:
    """Return the shape of stacked tensors. Raise ValueError if the shapes differ."""
    dims = shapes[0]
    for number, other in enumerate(shapes[1:], 1):
        if not compatible(dims, other):
            raise ValueError(
                "Shapes of all inputs must match: values[0].shape = "
                f"{bracketed(dims)} != values[{number}].shape = {bracketed(other)}"
            )
        dims = as_dims(TensorShape(dims).merge_with(other))
    if dims is None:
        return None
    rank = len(dims) + 1
    if not -rank <= axis < rank:
        raise ValueError(f"Argument `axis` = {axis} not in range [{-rank}, {rank})")
    position = axis % rank
    return (*dims[:position], len(shapes), *dims[position:])


def _pack_spec(*values: Tensor, axis: int) -> TensorSpec:
    return spec_of(values[0].spec.dtype, _packed_dims([x.spec.dims for x in values], axis))


def _stacked(xp: Namespace, *values: Array, axis: int) -> Any:
    try:
        return xp.stack(values, axis=axis)
    except ValueError:
        _packed_dims([value.shape for value in values], axis)
        raise


def _unpacked(g: Tensor, y: Tensor, *values: Tensor, axis: int) -> tuple[Tensor, ...]:
    return execute(lookup("Unpack"), (g,), {"num": len(values), "axis": axis})


PACK = register(
    OpDef(
        "Pack",
        {"*values": ANY},
        _pack_spec,
        _stacked,
        grad=_unpacked,
        entries=lambda *values, axis: values,
        emit=Emit.ROWS_OF,
        samples=(sample(1.0, 2.0, axis=0), sample([1, 2], [3, 4], axis=-1)),
        failure=Failure.SHAPES,
    )
)


def _cast(xp: Namespace, x: Array, dtype: dtypes.DType) -> Any:
    if x.dtype.kind == "c" and dtype.kind not in "cb":
        x = x.real
    return x.astype(dtype.numpy_dtype)


def _cast_back(g: Tensor, y: Tensor, x: Tensor, dtype: dtypes.DType) -> tuple[Tensor | None, ...]:
    if not (x.dtype.is_floating or x.dtype.is_complex):
        return (None,)
    return execute(CAST, (g,), {"dtype": x.dtype})


CAST = register(
    OpDef(
        "Cast",
        {"x": EXACT},
        lambda x, dtype: x.spec.with_dtype(dtype),
        _cast,
        grad=_cast_back,
        samples=(
            sample([1.5, 2.5], dtype=dtypes.float64),
            sample([1.7, -1.7], dtype=dtypes.int32),
            sample([1, 0], dtype=dtypes.bool),
            sample(3, dtype=dtypes.complex64),
        ),
        failure=Failure.SHAPES,
        fusable=True,
        emit=Emit.CONVERSION,
        node=NodeForm(renamed={"dtype": "DstT"}),
    )
)
