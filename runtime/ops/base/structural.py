"""Op types that conversion to tensors needs."""

from __future__ import annotations

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
from runtime.core.shapes import Dims
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor
from runtime.ops.base.aliases import Array, Namespace


def _pack_spec(*values: Tensor, axis: int) -> TensorSpec:
    dims: Dims = values[0].spec.dims
    for number, value in enumerate(values[1:], 1):
        other = value.spec.dims
        if not value.shape.is_compatible_with(dims):
            raise ValueError(_unlike(dims, other, number))
        dims = _merge(dims, other) if dims is not None and other is not None else dims or other
    if dims is None:
        return spec_of(values[0].spec.dtype, None)
    position = axis + len(dims) + 1 if axis < 0 else axis
    if not 0 <= position <= len(dims):
        rank = len(dims) + 1
        raise ValueError(f"Argument `axis` = {axis} not in range [{-rank}, {rank})")
    return spec_of(values[0].spec.dtype, (*dims[:position], len(values), *dims[position:]))


def _merge(a: tuple[int | None, ...], b: tuple[int | None, ...]) -> tuple[int | None, ...]:
    return tuple(y if x is None else x for x, y in zip(a, b, strict=True))


def _stacked(xp: Namespace, *values: Array, axis: int) -> Any:
    try:
        return xp.stack(values, axis=axis)
    except ValueError as error:
        first = values[0].shape
        rank = len(first) + 1
        if not -rank <= axis < rank:
            words = f"Argument `axis` = {axis} not in range [{-rank}, {rank})"
            raise ValueError(words) from error
        for number, value in enumerate(values):
            if value.shape != first:
                raise ValueError(_unlike(first, value.shape, number)) from error
        raise


def _unlike(first: Dims, other: Dims, number: int) -> str:
    return (
        "Shapes of all inputs must match: values[0].shape = "
        f"{bracketed(first)} != values[{number}].shape = {bracketed(other)}"
    )


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
