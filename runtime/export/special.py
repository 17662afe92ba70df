"""Export rules for op types that map to several nodes, or to a node of another type."""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence

import numpy as np

from runtime.core import dtypes
from runtime.core.operation import Operation
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.symbolic import SymbolicTensor
from runtime.export.forms import dims_array, dtype_zero
from runtime.export.nodes import Nodes, Ref

Rule = Callable[["Place"], list[Ref]]


class Place:
    """One operation during export.

    Attributes:
      op: the operation.
      inputs: its inputs.
      name: the name of its node.
    """

    def __init__(
        self,
        nodes: Nodes,
        op: Operation,
        inputs: list[Ref],
        name: str,
        waits: Sequence[str],
        elements: Callable[[SymbolicTensor], TensorSpec | None],
    ) -> None:
        """Store the operation and its position."""
        self.op = op
        self.inputs = inputs
        self.name = name
        self._nodes = nodes
        self._waits = waits
        self._elements = elements

    def part(self, op_type: str, inputs: Sequence[Ref], label: str, **attrs: object) -> list[Ref]:
        """Add an auxiliary node."""
        own = self._nodes.names.unique(f"{self.name}/{label}")
        return self._nodes.add(op_type, inputs, attrs, own, waits=self._waits)

    def main(self, op_type: str, inputs: Sequence[Ref], **attrs: object) -> list[Ref]:
        """Add the node that has the name of the operation."""
        return self._nodes.add(
            op_type,
            inputs,
            attrs,
            self.name,
            waits=self._waits,
            device=self.op.device,
            outputs=[tensor.dtype for tensor in self.op.outputs],
        )

    def constant(self, array: object, label: str) -> Ref:
        """Add a constant."""
        return self._nodes.constant(array, f"{self.name}/{label}")

    def element(self, tensor: SymbolicTensor) -> TensorSpec:
        """Return dtype and shape of the elements of a list. Raises ValueError if they are
        unknown.
        """
        spec = self._elements(tensor)
        if spec is None and not tensor.consumers():
            return spec_of(dtypes.float32, None)  # nobody reads the list, so any dtype does
        if spec is None:
            raise ValueError("nothing tells the dtype of the elements of the list")
        return spec


def _placeholder(place: Place) -> list[Ref]:
    spec = place.op.outputs[0].spec
    return place.main("Placeholder", (), dtype=spec.dtype, shape=spec.dims)


def _const(place: Place) -> list[Ref]:
    spec = place.op.outputs[0].spec
    value = np.asarray(place.op.attrs["value"])
    return place.main("Const", (), value=value, dtype=spec.dtype)


def _like(number: int) -> Rule:
    def rule(place: Place) -> list[Ref]:
        dtype = place.op.attrs["dtype"]
        if dtype is place.inputs[0].dtype:
            return place.main("OnesLike" if number else "ZerosLike", place.inputs)
        shape = place.part("Shape", place.inputs, "Shape", out_type=dtypes.int32)
        value = dtype_zero(dtype) if not number else np.array(1, dtype.numpy_dtype)
        return place.main("Fill", [*shape, place.constant(value, "Const")])

    return rule


def _add(place: Place) -> list[Ref]:
    return place.main("Add" if place.inputs[0].dtype is dtypes.string else "AddV2", place.inputs)


def _abs(place: Place) -> list[Ref]:
    return place.main("ComplexAbs" if place.inputs[0].dtype.is_complex else "Abs", place.inputs)


def _rounding(place: Place) -> list[Ref]:
    """Export a rounding op; TensorFlow rounds floats only, so integers become `Identity`."""
    return place.main(
        "Identity" if place.inputs[0].dtype.is_integer else place.op.type, place.inputs
    )


def _same_shapes(place: Place) -> list[Ref]:
    """Export an op that TensorFlow defines for inputs of equal shape only."""
    dims = [tensor.spec.dims for tensor in place.op.inputs]
    if None not in dims and len(set(dims)) == 1 and not any(None in (d or ()) for d in dims):
        return place.main(place.op.type, place.inputs)
    shapes = [place.part("Shape", [x], "Shape", out_type=dtypes.int32)[0] for x in place.inputs]
    joint = shapes[0]
    for shape in shapes[1:]:
        (joint,) = place.part("BroadcastArgs", [joint, shape], "BroadcastArgs")
    inputs = [place.part("BroadcastTo", [x, joint], "BroadcastTo")[0] for x in place.inputs]
    return place.main(place.op.type, inputs)


def _erfcinv(place: Place) -> list[Ref]:
    (x,) = place.inputs
    half = place.constant(np.array(0.5, x.dtype.numpy_dtype), "half")
    scale = place.constant(np.array(-np.sqrt(0.5), x.dtype.numpy_dtype), "scale")
    (scaled,) = place.part("Mul", [x, half], "mul")
    (found,) = place.part("Ndtri", [scaled], "Ndtri")
    return place.main("Mul", [found, scale])


def _matrix_logarithm(place: Place) -> list[Ref]:
    """Export `MatrixLogarithm`, which TensorFlow defines for complex dtypes only."""
    (x,) = place.inputs
    if x.dtype.is_complex:
        return place.main("MatrixLogarithm", [x])
    wide = dtypes.complex128 if x.dtype is dtypes.float64 else dtypes.complex64
    (found,) = place.part("MatrixLogarithm", [_as(place, x, wide)], "MatrixLogarithm")
    return place.main("Real", [found], Tout=x.dtype)


def _gather_rows(place: Place) -> list[Ref]:
    x, order = place.op.inputs
    if x.shape.rank is None or order.shape.rank is None:
        raise ValueError("the ranks of its inputs are not known")
    axis = place.constant(np.int32(x.shape.rank - 2), "axis")
    return place.main("GatherV2", [*place.inputs, axis], batch_dims=order.shape.rank - 1)


def _bound(place: Place) -> list[Ref]:
    """Export `LowerBound` or `UpperBound`, which TensorFlow defines for matrices only."""
    ranks = {tensor.shape.rank for tensor in place.op.inputs}
    if ranks == {2}:
        return place.main(place.op.type, place.inputs, **place.op.attrs)
    if ranks != {1}:
        raise ValueError("its inputs are neither vectors nor matrices")
    zero = place.constant(np.int32(0), "dim")
    rows = [place.part("ExpandDims", [x, zero], "ExpandDims")[0] for x in place.inputs]
    (found,) = place.part(place.op.type, rows, "rows", **place.op.attrs)
    return place.main("Squeeze", [found], squeeze_dims=(0,))


def _split(place: Place) -> list[Ref]:
    axis, parts = place.op.attrs["axis"], place.op.attrs["parts"]
    where = place.constant(np.int32(axis), "split_dim")
    if isinstance(parts, int):
        return place.main("Split", [where, *place.inputs], num_split=parts)
    sizes = place.constant(np.array(parts, np.int32), "size_splits")
    return place.main("SplitV", [*place.inputs, sizes, where], num_split=len(parts))


def _transpose(place: Place) -> list[Ref]:
    perm = place.op.attrs["perm"]
    (x,) = place.inputs
    if perm is not None:
        order = place.constant(np.array(perm, np.int32), "perm")
    else:
        order = _reversed(place, x)
    kind = "ConjugateTranspose" if place.op.attrs["conjugate"] else "Transpose"
    return place.main(kind, [x, order])


def _reversed(place: Place, x: Ref) -> Ref:
    """Return the axes from last to first."""
    rank = place.op.inputs[0].shape.rank
    if rank is not None:
        return place.constant(np.arange(rank, dtype=np.int32)[::-1], "perm")
    one, minus, none = (
        place.constant(np.int32(number), label)
        for number, label in ((1, "one"), (-1, "delta"), (0, "zero"))
    )
    (found,) = place.part("Rank", [x], "Rank")
    (last,) = place.part("Sub", [found, one], "sub")
    (below,) = place.part("Sub", [none, one], "sub")
    return place.part("Range", [last, below, minus], "range")[0]


def _range_size(place: Place) -> list[Ref]:
    """Export `max(-(-(limit - start) // delta), 0)`."""
    start, limit, delta = place.inputs
    dtype = place.op.attrs["dtype"]
    wide = dtypes.float64 if start.dtype.is_floating else dtypes.int64
    first, last, step = (_as(place, each, wide) for each in (start, limit, delta))
    (back,) = place.part("Sub", [first, last], "sub")
    (steps,) = place.part("FloorDiv", [back, step], "floordiv")
    (count,) = place.part("Neg", [steps], "neg")
    zero = place.constant(dtype_zero(wide), "zero")
    (size,) = place.part("Maximum", [count, zero], "maximum")
    return place.main("Cast", [size], DstT=dtype)


def _unbroadcast(place: Place) -> list[Ref]:
    x, shape = place.inputs
    (given,) = place.part("Shape", [x], "Shape", out_type=shape.dtype)
    axes, _ = place.part("BroadcastGradientArgs", [shape, given], "BroadcastGradientArgs")
    (total,) = place.part("Sum", [x, axes], "Sum")
    return place.main("Reshape", [total, shape])


def _log_sum_exp(place: Place) -> list[Ref]:
    (x,) = place.inputs
    axes = place.op.attrs["axis"]
    rank = place.op.inputs[0].shape.rank
    if axes is None and rank is None:
        raise ValueError("the rank of its input is not known, so `all axes` cannot be said")
    every = axes if axes is not None else range(rank or 0)
    where = place.constant(np.array(list(every), np.int32), "axis")
    (largest,) = place.part("Max", [x, where], "Max", keep_dims=True)
    (finite,) = place.part("IsFinite", [largest], "IsFinite")
    zero = place.constant(dtype_zero(x.dtype), "zero")
    (shift,) = place.part("SelectV2", [finite, largest, zero], "SelectV2")
    (moved,) = place.part("Sub", [x, shift], "sub")
    (powers,) = place.part("Exp", [moved], "Exp")
    (total,) = place.part("Sum", [powers, where], "Sum", keep_dims=True)
    (logs,) = place.part("Log", [total], "Log")
    if place.op.attrs["keepdims"]:
        return place.main("AddV2", [logs, shift])
    (kept,) = place.part("AddV2", [logs, shift], "add")
    return place.main("Squeeze", [kept], squeeze_dims=tuple(every))


def _tensordot(place: Place) -> list[Ref]:
    a, b = place.op.inputs
    axes_a, axes_b = place.op.attrs["axes_a"], place.op.attrs["axes_b"]
    if a.shape.rank is None or b.shape.rank is None:
        raise ValueError("the ranks of its inputs are not known")
    letters = iter(string.ascii_letters)
    left = [next(letters) for _ in range(a.shape.rank)]
    right = [next(letters) for _ in range(b.shape.rank)]
    summed = {axis % a.shape.rank for axis in axes_a}
    for one, other in zip(axes_a, axes_b, strict=True):
        right[other % b.shape.rank] = left[one % a.shape.rank]
    result = [letter for axis, letter in enumerate(left) if axis not in summed]
    result += [letter for letter in right if letter not in left]
    equation = f"{''.join(left)},{''.join(right)}->{''.join(result)}"
    return place.main("Einsum", place.inputs, equation=equation)


def _print(place: Place) -> list[Ref]:
    attrs = place.op.attrs
    template = attrs["template"]
    mark = next(mark for mark in ("{}", "%s", "<?>", "\1") if mark not in template)
    (text,) = place.part(
        "StringFormat",
        place.inputs,
        "StringFormat",
        template=template.replace("\0", mark),
        placeholder=mark,
        summarize=attrs["summarize"],
    )
    return place.main("PrintV2", [text], output_stream=attrs["stream"], end="")


def _raise_when(place: Place) -> list[Ref]:
    error = place.op.attrs["error"]
    condition, *values = place.inputs
    (holds,) = place.part("LogicalNot", [condition], "LogicalNot")
    shown = type(error).__name__ if values else f"{type(error).__name__}: {error}"
    text = place.constant(np.array(shown.encode(), object), "data_0")
    return place.main("Assert", [holds, text, *values])


def _read_variable(place: Place) -> list[Ref]:
    return place.main("ReadVariableOp", place.inputs, dtype=place.op.attrs["spec"].dtype)


def _list_reserve(place: Place) -> list[Ref]:
    spec = place.element(place.op.outputs[0])
    shape = place.constant(dims_array(spec.dims), "element_shape")
    return place.main("TensorListReserve", [shape, *place.inputs], element_dtype=spec.dtype)


def _list_from_tensor(place: Place) -> list[Ref]:
    dims = place.op.inputs[0].spec.dims
    shape = place.constant(dims_array(None if dims is None else dims[1:]), "element_shape")
    return place.main("TensorListFromTensor", [*place.inputs, shape])


def _list_get(place: Place) -> list[Ref]:
    spec = place.op.attrs["element"]
    shape = place.constant(dims_array(spec.dims), "element_shape")
    return place.main("TensorListGetItem", [*place.inputs, shape], element_dtype=spec.dtype)


def _list_concat(place: Place) -> list[Ref]:
    spec = place.op.attrs["element"]
    shape = place.constant(dims_array(spec.dims), "element_shape")
    leading = place.constant(np.zeros(0, np.int64), "leading_dims")
    inputs = [*place.inputs, shape, leading]
    return place.main("TensorListConcatV2", inputs, element_dtype=spec.dtype)[:1]


def _list_split(place: Place) -> list[Ref]:
    tensor, lengths = place.inputs
    spec = place.element(place.op.outputs[0])
    shape = place.constant(dims_array(spec.dims), "element_shape")
    return place.main("TensorListSplit", [tensor, shape, _as(place, lengths, dtypes.int64)])


def _list_scatter(place: Place) -> list[Ref]:
    if place.op.attrs["resize"]:
        raise ValueError("TensorFlow's does not make the list longer")
    handle, indices, tensor = place.inputs
    return place.main(
        "TensorListScatterIntoExistingList",
        [handle, tensor, _as(place, indices, dtypes.int32)],
    )


def _as(place: Place, x: Ref, dtype: dtypes.DType) -> Ref:
    return x if x.dtype is dtype else place.part("Cast", [x], "Cast", DstT=dtype)[0]


def _band(place: Place, dtype: dtypes.DType) -> tuple[Ref, Ref]:
    """Return the range of diagonals, and the fill value."""
    attrs = place.op.attrs
    k = place.constant(np.array([attrs["low"], attrs["high"]], np.int32), "k")
    filling = np.array(attrs.get("padding", 0), dtype.numpy_dtype)
    return k, place.constant(filling, "padding_value")


def _diagonal(place: Place) -> list[Ref]:
    (x,) = place.inputs
    k, padding = _band(place, x.dtype)
    sizes = [place.constant(np.int32(place.op.attrs[n]), n) for n in ("num_rows", "num_cols")]
    return place.main("MatrixDiagV3", [x, k, *sizes, padding], align=place.op.attrs["align"])


def _diagonal_part(place: Place) -> list[Ref]:
    (x,) = place.inputs
    return place.main(
        "MatrixDiagPartV3", [x, *_band(place, x.dtype)], align=place.op.attrs["align"]
    )


def _set_diagonal(place: Place) -> list[Ref]:
    x, diagonal = place.inputs
    k, _ = _band(place, x.dtype)
    return place.main("MatrixSetDiagV3", [x, diagonal, k], align=place.op.attrs["align"])


def _list_stack(place: Place) -> list[Ref]:
    spec, length = place.op.attrs["element"], place.op.attrs["length"]
    shape = place.constant(dims_array(spec.dims), "element_shape")
    return place.main(
        "TensorListStack",
        [*place.inputs, shape],
        element_dtype=spec.dtype,
        num_elements=-1 if length is None else length,
    )


def _ranked(place: Place, descending: bool) -> list[Ref]:
    """Return the operands of TopKV2; negated for ascending order."""
    (x,) = place.inputs
    if descending:
        turned = x
    elif x.dtype.is_floating:
        (turned,) = place.part("Neg", [x], "Neg")
    else:
        (turned,) = place.part("Invert", [x], "Invert")
    rank = place.op.inputs[0].shape.rank
    if rank is None or place.op.attrs["axis"] % rank != rank - 1:
        raise ValueError("only the last axis can be sorted there")
    (shape,) = place.part("Shape", [x], "Shape", out_type=dtypes.int32)
    begin, end, stride = (
        place.constant(np.array([number], np.int32), label)
        for number, label in ((-1, "stack"), (0, "stack_1"), (1, "stack_2"))
    )
    (length,) = place.part(
        "StridedSlice", [shape, begin, end, stride], "strided_slice", shrink_axis_mask=1, end_mask=1
    )
    return [turned, length]


def _sort(place: Place) -> list[Ref]:
    descending = place.op.attrs["descending"]
    operands = _ranked(place, descending)
    if descending:
        return place.main("TopKV2", operands)[:1]
    values, _ = place.part("TopKV2", operands, "TopKV2")
    return place.main("Neg" if values.dtype.is_floating else "Invert", [values])


def _arg_sort(place: Place) -> list[Ref]:
    operands = _ranked(place, place.op.attrs["descending"])
    _, positions = place.part("TopKV2", operands, "TopKV2")
    return place.main("Identity", [positions])


RULES: dict[str, Rule] = {
    "Abs": _abs,
    "AddV2": _add,
    "ArgSort": _arg_sort,
    "Betainc": _same_shapes,
    "Ceil": _rounding,
    "Const": _const,
    "Erfcinv": _erfcinv,
    "Floor": _rounding,
    "GatherRows": _gather_rows,
    "LogSumExp": _log_sum_exp,
    "LowerBound": _bound,
    "MatrixDiagPartV3": _diagonal_part,
    "MatrixDiagV3": _diagonal,
    "MatrixLogarithm": _matrix_logarithm,
    "MatrixSetDiagV3": _set_diagonal,
    "OnesLike": _like(1),
    "Placeholder": _placeholder,
    "PrintV2": _print,
    "RaiseWhen": _raise_when,
    "RangeSize": _range_size,
    "ReadVariableOp": _read_variable,
    "Round": _rounding,
    "Sort": _sort,
    "SplitV": _split,
    "TensorListConcatV2": _list_concat,
    "TensorListFromTensor": _list_from_tensor,
    "TensorListGetItem": _list_get,
    "TensorListReserve": _list_reserve,
    "TensorListScatterIntoExistingList": _list_scatter,
    "TensorListSplit": _list_split,
    "TensorListStack": _list_stack,
    "Tensordot": _tensordot,
    "Transpose": _transpose,
    "UnbroadcastTo": _unbroadcast,
    "UpperBound": _bound,
    "ZerosLike": _like(0),
}
"""The export rules, by op type."""
