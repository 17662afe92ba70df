"""Forms of lists in TensorFlow's graphs, whose op types state dtype and shape of the elements."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from runtime.core import dtypes
from runtime.core.node_form import NodeForm, Ref
from runtime.core.operation import Operation
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.symbolic import SymbolicTensor
from runtime.ops.base.aliases import Attrs
from runtime.ops.base.node_forms import Node, Place, converted, dims_array

_Known = Iterator[tuple[SymbolicTensor, TensorSpec]]
"""Lists with the specs of their elements."""


def _shape(place: Place, spec: TensorSpec) -> Ref:
    return place.constant(dims_array(spec.dims), "element_shape")


def _row(spec: TensorSpec) -> TensorSpec:
    return spec.with_dims(None if spec.dims is None else spec.dims[1:])


def _element(node: Node, position: int) -> TensorSpec:
    value = node.known(position)
    dtype = node.attrs["element_dtype"]
    if value is None or np.ndim(value) == 0:
        return spec_of(dtype, None)
    return spec_of(dtype, tuple(None if dim < 0 else int(dim) for dim in value))


def _of_attribute(op: Operation) -> _Known:
    yield op.inputs[0], op.attrs["element"]


def _of_item(position: int) -> Callable[[Operation], _Known]:
    def elements(op: Operation) -> _Known:
        yield op.inputs[0], op.inputs[position].spec

    return elements


def _of_rows(position: int) -> Callable[[Operation], _Known]:
    def elements(op: Operation) -> _Known:
        yield op.outputs[0], _row(op.inputs[position].spec)

    return elements


def _of_pieces(op: Operation) -> _Known:
    row = _row(op.inputs[0].spec)
    yield op.outputs[0], row.with_dims(None if row.dims is None else (None, *row.dims))


def _write_reserve(place: Place) -> list[Ref]:
    spec = place.element(place.op.outputs[0])
    inputs = [_shape(place, spec), *place.inputs]
    return place.main("TensorListReserve", inputs, element_dtype=spec.dtype)


def _read_reserve(node: Node) -> tuple[SymbolicTensor, ...]:
    if node.type == "TensorListReserve":
        return node.add("TensorListReserve", node.inputs[1:], {})
    (zero,) = node.add("Const", (), {"value": np.int32(0)}, "num_elements/")
    return node.add("TensorListReserve", [zero], {})


def _write_from_tensor(place: Place) -> list[Ref]:
    inputs = [*place.inputs, _shape(place, _row(place.op.inputs[0].spec))]
    return place.main("TensorListFromTensor", inputs)


def _write_get(place: Place) -> list[Ref]:
    spec = place.op.attrs["element"]
    inputs = [*place.inputs, _shape(place, spec)]
    return place.main("TensorListGetItem", inputs, element_dtype=spec.dtype)


def _write_stack(place: Place) -> list[Ref]:
    spec, length = place.op.attrs["element"], place.op.attrs["length"]
    return place.main(
        "TensorListStack",
        [*place.inputs, _shape(place, spec)],
        element_dtype=spec.dtype,
        num_elements=-1 if length is None else length,
    )


def _read_stack(node: Node) -> tuple[SymbolicTensor, ...]:
    length = node.attrs["num_elements"]
    attrs = {"element": _element(node, 1), "length": None if length < 0 else length}
    return node.add("TensorListStack", node.inputs[:1], attrs)


def _write_concat(place: Place) -> list[Ref]:
    spec = place.op.attrs["element"]
    leading = place.constant(np.zeros(0, np.int64), "leading_dims")
    inputs = [*place.inputs, _shape(place, spec), leading]
    return place.main("TensorListConcatV2", inputs, element_dtype=spec.dtype)[:1]


def _write_split(place: Place) -> list[Ref]:
    tensor, lengths = place.inputs
    shape = _shape(place, place.element(place.op.outputs[0]))
    return place.main("TensorListSplit", [tensor, shape, converted(place, lengths, dtypes.int64)])


def _write_scatter(place: Place) -> list[Ref]:
    if place.op.attrs["resize"]:
        raise ValueError("TensorFlow's does not make the list longer")
    handle, indices, tensor = place.inputs
    inputs = [handle, tensor, converted(place, indices, dtypes.int32)]
    return place.main("TensorListScatterIntoExistingList", inputs)


def _reading(
    op_type: str,
    *positions: int,
    attrs: Callable[[Node], Attrs] = lambda node: {},
) -> Callable[[Node], tuple[SymbolicTensor, ...]]:
    """Return the import rule that takes some inputs of the node."""

    def read(node: Node) -> tuple[SymbolicTensor, ...]:
        return node.add(op_type, [node.inputs[position] for position in positions], attrs(node))

    return read


RESERVE = NodeForm(also=("EmptyTensorList",), write=_write_reserve, read=_read_reserve)
FROM_TENSOR = NodeForm(
    write=_write_from_tensor, read=_reading("TensorListFromTensor", 0), elements=_of_rows(0)
)
SET = NodeForm(renamed={"resize": "resize_if_index_out_of_bounds"}, elements=_of_item(2))
PUSH = NodeForm(elements=_of_item(1))
GET = NodeForm(
    write=_write_get,
    read=_reading("TensorListGetItem", 0, 1, attrs=lambda node: {"element": _element(node, 2)}),
    elements=_of_attribute,
)
STACK = NodeForm(write=_write_stack, read=_read_stack, elements=_of_attribute)
CONCAT = NodeForm(
    write=_write_concat,
    read=_reading("TensorListConcatV2", 0, attrs=lambda node: {"element": _element(node, 1)}),
    elements=_of_attribute,
)
SCATTER = NodeForm(
    write=_write_scatter,
    read=_reading(
        "TensorListScatterIntoExistingList", 0, 2, 1, attrs=lambda node: {"resize": False}
    ),
    elements=_of_rows(2),
)
SPLIT = NodeForm(write=_write_split, read=_reading("TensorListSplit", 0, 2), elements=_of_pieces)
