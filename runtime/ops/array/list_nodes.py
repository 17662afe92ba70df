"""Forms of lists in TensorFlow's graphs, whose op types state dtype and shape of the elements."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from runtime.core.node_form import NodeForm, Ref
from runtime.core.operation import Operation
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.symbolic import SymbolicTensor
from runtime.ops.base.node_forms import Node, Place, dims_array

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


def _of_rows(op: Operation) -> _Known:
    yield op.outputs[0], _row(op.inputs[0].spec)


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


def _read_from_tensor(node: Node) -> tuple[SymbolicTensor, ...]:
    return node.add("TensorListFromTensor", node.inputs[:1], {})


def _write_get(place: Place) -> list[Ref]:
    spec = place.op.attrs["element"]
    inputs = [*place.inputs, _shape(place, spec)]
    return place.main("TensorListGetItem", inputs, element_dtype=spec.dtype)


def _read_get(node: Node) -> tuple[SymbolicTensor, ...]:
    return node.add("TensorListGetItem", node.inputs[:2], {"element": _element(node, 2)})


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


RESERVE = NodeForm(also=("EmptyTensorList",), write=_write_reserve, read=_read_reserve)
FROM_TENSOR = NodeForm(write=_write_from_tensor, read=_read_from_tensor, elements=_of_rows)
SET = NodeForm(renamed={"resize": "resize_if_index_out_of_bounds"}, elements=_of_item(2))
PUSH = NodeForm(elements=_of_item(1))
GET = NodeForm(write=_write_get, read=_read_get, elements=_of_attribute)
STACK = NodeForm(write=_write_stack, read=_read_stack, elements=_of_attribute)
