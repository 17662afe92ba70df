"""Loops over the rows of tensors: `map_fn`, `vectorized_map` and `scan`.

A map equals `stack([fn(row) for row in elems])`; `scan` equals `itertools.accumulate`. `rows_of`
maps a gradient over the elements of a tensor: a Jacobian row by row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.backprop.walk import Gradient, dense
from runtime.control_flow.tracing import inner_graph, surfacing
from runtime.control_flow.while_loop import while_loop
from runtime.core import dtypes, nest
from runtime.core.list_values import ListBoundsError
from runtime.core.shapes import Dims
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
      repeats: whether a first dimension of 1 broadcasts to n.

    Raises:
      ValueError: if there is no tensor, a tensor is a scalar, or known first dimensions differ.
      InvalidArgumentError: at run time, if first dimensions differ.
    """

    def __init__(self, elems: object, repeats: bool = False) -> None:
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
        self._single = [repeats and _first(tensor.spec.dims) == 1 for tensor in tensors]
        self.length = self._common_length()

    def _common_length(self) -> TensorLike:
        whole = [
            tensor for tensor, single in zip(self._tensors, self._single, strict=True) if not single
        ]
        known = [first for tensor in whole if (first := _first(tensor.spec.dims)) is not None]
        for other in known[1:]:
            if other != known[0]:
                raise ValueError(f"Dimensions {known[0]} and {other} are not compatible")
        if not whole:
            return 1
        counts = [getitem(shape(t), 0) for t in whole if _first(t.spec.dims) is None]
        length: TensorLike = known[0] if known else counts[0]
        for count in counts if known else counts[1:]:
            Assert(equal(count, length), ["elems differ in their first dimension:", length, count])
        return length

    def row(self, index: TensorLike) -> Any:
        """Return the structure with row number `index` of each tensor."""
        rows = [
            getitem(tensor, 0 if single else index)
            for tensor, single in zip(self._tensors, self._single, strict=True)
        ]
        return nest.pack_sequence_as(self._like, rows)

    @property
    def static_length(self) -> int | None:
        """The number of rows, if it is known."""
        return self.length if isinstance(self.length, int) else None


def _first(dims: Dims) -> int | None:
    return dims[0] if dims else None


def _number(value: int) -> Tensor:
    """Return an int32 scalar."""
    return constant_of(dtypes.int32.as_numpy_dtype(value))


def _arrays_for(dtype_of: list[Any], length: TensorLike, infer_shape: bool) -> list[TensorArray]:
    """Return a TensorArray for each output, given the dtype or `TensorSpec` of its elements."""
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

    Returns: Tensors of shape [n, ...] in the structure of the results.

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
    _check_callable(fn)
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


def _check_callable(function: object) -> None:
    if not callable(function):
        raise TypeError(f"fn must be callable, but it is {function!r}")


@surfacing
def vectorized_map(
    fn: Callable[[Any], Any],
    elems: Any,
    fallback_to_while_loop: bool = True,
    warn: bool = True,
) -> Any:
    """Apply `fn` to each row of `elems` and stack the results, without a signature.

    Args:
      fn: maps a row, in the structure of `elems`, to tensors of any dtype.
      elems: a tensor of shape [n, ...], or a structure of such tensors; a first dimension of 1
        broadcasts.
      fallback_to_while_loop, warn: ignored: rows are always processed one by one.

    Returns: Tensors of shape [n, ...] in the structure of the results.

    Raises:
      TypeError: if `fn` is not callable.
      ValueError: if an element is a scalar, or first dimensions differ.

    >>> print(vectorized_map(lambda row: row[0] * row[1], convert_to_tensor([[1, 2], [3, 4]])))
    tf.Tensor([ 2 12], shape=(2,), dtype=int32)
    """
    _check_callable(fn)
    rows = Rows(elems, repeats=True)
    length = rows.static_length
    if STATE.graph is None and length:
        results = [fn(rows.row(index)) for index in range(length)]
        columns = zip(*map(nest.flatten, results), strict=True)
        return nest.pack_sequence_as(results[0], [stack(list(column)) for column in columns])
    with inner_graph("vectorized_map") as graph:
        index = graph.add_input(_number(0).spec, "index")
        result = nest.map_structure(convert_to_tensor, fn(rows.row(index)))
    return _mapped(fn, rows, nest.map_structure(lambda tensor: tensor.spec, result))


def _begin(fn: object, elems: object, initializer: object, reverse: bool) -> tuple[Rows, Any, int]:
    """Return the rows, the first value, and the number of rows it consumes."""
    if not callable(fn):
        raise TypeError(f"{fn.__name__ if hasattr(fn, '__name__') else fn!r} is not callable.")
    rows = Rows(elems)
    if initializer is not None:
        return rows, nest.map_structure(convert_to_tensor, initializer), 0
    text = "scan without an initializer needs at least one element"
    if rows.static_length == 0:
        raise ListBoundsError.of(f"Trying to access element 0 in a list: {text}")
    if rows.static_length is None:
        Assert(rows.length > 0, [text])
    return rows, rows.row(_position(0, rows.length, reverse)), 1


def _position(index: object, length: TensorLike, reverse: bool) -> Any:
    return length - 1 - index if reverse else index


def scan(
    fn: Callable[[Any, Any], Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    reverse: bool = False,
    name: str | None = None,
) -> Any:
    """Accumulate the rows with a function, and stack all values along a new first axis.

    Args:
      fn: maps the accumulated value and a row to the next value.
      elems: a tensor of shape [n, ...], or a structure of such tensors with equal n.
      initializer: the value before the first row; None: the first row is the first value.
      parallel_iterations, back_prop, swap_memory, name: ignored.
      infer_shape: whether all values have one shape.
      reverse: whether to go from the last row to the first; results keep the order of rows.

    Returns: Tensors of shape [n, ...] in the structure of `initializer`, or of `elems` without it.

    Raises:
      TypeError: if `fn` is not callable.
      ValueError: if `fn` returns another structure, an element is a scalar, or first dimensions
        differ.
      InvalidArgumentError: without rows and initializer.

    >>> print(scan(lambda total, x: total + x, convert_to_tensor([1, 2, 3])))
    tf.Tensor([1 3 6], shape=(3,), dtype=int32)
    """
    rows, value, start = _begin(fn, elems, initializer, reverse)
    like = value
    arrays = _arrays_for([leaf.dtype for leaf in nest.flatten(value)], rows.length, infer_shape)
    if start:
        arrays = _written(arrays, _position(0, rows.length, reverse), nest.flatten(value))

    def body(index: Any, value: Any, arrays: Any) -> Any:
        position = _position(index, rows.length, reverse)
        result = fn(value, rows.row(position))
        nest.assert_same_structure(like, result)
        return index + 1, result, _written(arrays, position, nest.flatten(result))

    state = (_number(start), value, arrays)
    _, _, arrays = while_loop(lambda index, *_: index < rows.length, body, state)
    return nest.pack_sequence_as(like, _stacked(arrays, rows.static_length))


Slopes = Callable[[Tensor], Sequence[Gradient | None]]
"""A function from a vector `v` to the vector-Jacobian products for several sources."""


def rows_of(
    slopes: Slopes, output: Tensor, count: Tensor, batch: bool = False
) -> list[Tensor | None]:
    """Return, for each source, the gradients of the elements of a tensor as rows.

    None for an unconnected source. With `batch`, `count` is the number of elements of each row of
    `output`, and one gradient serves the same element of all rows.
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

    made = iter(vectorized_map(gradients_of, range_of(count)))
    return [next(made) if flag else None for flag in connected]
