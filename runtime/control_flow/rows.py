"""Loops over the rows of tensors: `map_fn`, which equals `stack([fn(row) for row in elems])`.

`rows_of` maps a gradient over the elements of a tensor: a Jacobian row by row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.backprop.walk import Gradient, dense
from runtime.control_flow.tracing import inner_graph
from runtime.control_flow.while_loop import while_loop
from runtime.core import dtypes, nest
from runtime.core.tensor import Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.ops.array.creation import zeros_like
from runtime.ops.array.dimensions import shape
from runtime.ops.array.joining import concat, stack
from runtime.ops.array.one_hot import one_hot
from runtime.ops.array.ranges import range as range_of
from runtime.ops.array.shaping import reshape
from runtime.ops.base.convert import constant_of, convert_to_tensor
from runtime.ops.effects.output import Assert
from runtime.ops.items.indexing import getitem
from runtime.ops.math.logic import equal
from runtime.state.tensor_array import TensorArray


class Rows:
    """The rows of all tensors of a structure.

    Args:
      elems: a tensor of shape [n, ...], or a structure of such tensors with equal n.

    Raises:
      ValueError: if there is no tensor, a tensor is a scalar, or known first dimensions differ.
      InvalidArgumentError: at run time, if first dimensions differ.
    """

    def __init__(self, elems: object) -> None:
        """Convert the elements."""
        tensors = [convert_to_tensor(elem) for elem in nest.flatten(elems)]
        if not tensors:
            raise ValueError(
                "elems must be a Tensor or (possibly nested) sequence of Tensors. Got "
                f"{elems!r}, which does not contain any Tensors."
            )
        if any(tensor.shape.rank == 0 for tensor in tensors):
            raise ValueError("Elements in elems must be 1+ dimensional Tensors, not scalars")
        self._like = elems
        self._tensors = tensors
        self.length = self._common_length()

    def _common_length(self) -> TensorLike:
        firsts = [tensor.spec.dims[0] if tensor.spec.dims else None for tensor in self._tensors]
        known = [first for first in firsts if first is not None]
        for other in known[1:]:
            if other != known[0]:
                raise ValueError(f"Dimensions {known[0]} and {other} are not compatible")
        pairs = zip(self._tensors, firsts, strict=True)
        counts = [getitem(shape(tensor), 0) for tensor, first in pairs if first is None]
        length: TensorLike = known[0] if known else counts[0]
        for count in counts if known else counts[1:]:
            Assert(equal(count, length), ["elems differ in their first dimension:", length, count])
        return length

    def row(self, index: TensorLike) -> Any:
        """Return the structure with row number `index` of each tensor."""
        rows = [getitem(tensor, index) for tensor in self._tensors]
        return nest.pack_sequence_as(self._like, rows)

    @property
    def static_length(self) -> int | None:
        """The number of rows, if it is known."""
        return self.length if isinstance(self.length, int) else None


def _number(value: int) -> Tensor:
    """Return an int32 scalar."""
    return constant_of(dtypes.int32.as_numpy_dtype(value))


def _arrays_for(dtype_of: list[Any], length: TensorLike, infer_shape: bool) -> list[TensorArray]:
    """Return a TensorArray for each output.

    Args:
      dtype_of: dtype or `TensorSpec` of the elements of each.
      length: the number of elements.
      infer_shape: whether all elements of an array have one shape.
    """
    return [
        TensorArray(
            getattr(kind, "dtype", kind),
            size=length,
            infer_shape=infer_shape,
            element_shape=getattr(kind, "shape", None),
        )
        for kind in dtype_of
    ]


def _written(arrays: list[TensorArray], index: TensorLike, values: list[Any]) -> list[TensorArray]:
    """Return the arrays after writing one element to each."""
    return [array.write(index, value) for array, value in zip(arrays, values, strict=True)]


def _stacked(arrays: list[TensorArray], length: int | None) -> list[Tensor]:
    """Stack the elements of each array, with a static number of rows if it is known."""
    tensors = [array.stack() for array in arrays]
    if STATE.graph is not None and length is not None:
        for tensor in tensors:
            rest = tensor.spec.dims
            if rest is not None:
                tensor.set_shape([length, *rest[1:]])  # type: ignore[attr-defined]
    return tensors


def map_fn(
    fn: Callable[[Any], Any],
    elems: Any,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
    fn_output_signature: Any = None,
) -> Any:
    """Apply `fn` to each row of `elems` and stack the results along a new first axis.

    Args:
      fn: maps a row, in the structure of `elems`, to tensors.
      elems: a tensor of shape [n, ...], or a structure of such tensors with equal n.
      dtype: the older name of `fn_output_signature`.
      parallel_iterations, back_prop, swap_memory, name: ignored.
      infer_shape: whether all results have one shape.
      fn_output_signature: dtype or `TensorSpec` of each result, in its structure; None: the dtypes
        and structure of `elems`.

    Returns:
      Tensors of shape [n, ...] in the structure of the results.

    Raises:
      TypeError: if `fn` is not callable.
      ValueError: if an element is a scalar, first dimensions differ, there is no tensor, or results
        have another structure.
      InvalidArgumentError: if results have another dtype.

    >>> print(map_fn(lambda row: row * 2, convert_to_tensor([[1], [2]])))
    tf.Tensor(
    [[2]
     [4]], shape=(2, 1), dtype=int32)
    """
    if not callable(fn):
        raise TypeError(f"fn must be callable, but it is {fn!r}")
    rows = Rows(elems)
    signature = dtype if fn_output_signature is None else fn_output_signature
    if signature is None:
        signature = nest.map_structure(lambda elem: convert_to_tensor(elem).dtype, elems)
    return _mapped(fn, rows, signature, infer_shape)


def _mapped(fn: Callable[[Any], Any], rows: Rows, signature: Any, infer_shape: bool = True) -> Any:
    """Stack the results of a function of each row, with dtypes or specs in their structure."""

    def body(index: Any, arrays: Any) -> Any:
        result = fn(rows.row(index))
        nest.assert_same_structure(signature, result)
        return index + 1, _written(arrays, index, nest.flatten(result))

    start = _arrays_for(list(map(_kind, nest.flatten(signature))), rows.length, infer_shape)
    _, arrays = while_loop(lambda index, _: index < rows.length, body, (_number(0), start))
    return nest.pack_sequence_as(signature, _stacked(arrays, rows.static_length))


def _kind(leaf: object) -> Any:
    return leaf if hasattr(leaf, "shape") and hasattr(leaf, "dtype") else dtypes.as_dtype(leaf)


def _of_each(fn: Callable[[Any], Any], rows: Rows) -> Any:
    """Stack the results of a function of each row, of which nothing is known before."""
    length = rows.static_length
    if STATE.graph is None and length:
        results = [fn(rows.row(index)) for index in range(length)]
        columns = zip(*map(nest.flatten, results), strict=True)
        return nest.pack_sequence_as(results[0], [stack(list(column)) for column in columns])
    with inner_graph("rows") as graph:
        index = graph.add_input(_number(0).spec, "index")
        result = nest.map_structure(convert_to_tensor, fn(rows.row(index)))
    return _mapped(fn, rows, nest.map_structure(lambda tensor: tensor.spec, result))


Slopes = Callable[[Tensor], Sequence[Gradient | None]]
"""A function from a vector `v` to the vector-Jacobian products for several sources."""


def rows_of(
    slopes: Slopes, output: Tensor, count: Tensor, batch: bool = False
) -> list[Tensor | None]:
    """Return, for each source, the gradients of the elements of a tensor as rows; None if
    unconnected.

    Args:
      slopes: computes vector-Jacobian products.
      output: the tensor.
      count: the number of its elements.
      batch: whether `count` is the number of elements of each row of `output`; then one gradient
        serves the same element of all rows.
    """
    connected: list[bool] = []

    def gradients_of(index: Tensor) -> tuple[Tensor, ...]:
        seed = one_hot(index, count, dtype=output.dtype)
        whole = shape(output)
        if batch:
            seed = seed + zeros_like(reshape(output, concat([whole[:1], [-1]], 0)))
        found = slopes(reshape(seed, whole))
        connected[:] = [each is not None for each in found]
        return tuple(dense(each) for each in found if each is not None)

    made = iter(_of_each(gradients_of, Rows(range_of(count))))
    return [next(made) if flag else None for flag in connected]
