"""`map_fn` and `vectorized_map`: a function of each row.

Both equal `stack([fn(row) for row in elems])`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.control_flow.rows import Rows, arrays_for, number, stacked, written
from runtime.control_flow.tracing import inner_graph, surfacing
from runtime.control_flow.while_loop import while_loop
from runtime.core import dtypes, nest
from runtime.core.thread import STATE
from runtime.ops.array.joining import stack
from runtime.ops.base.convert import convert_to_tensor


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
    _check_callable("fn", fn)
    rows = Rows(elems)
    signature = dtype if fn_output_signature is None else fn_output_signature
    if signature is None:
        signature = nest.map_structure(lambda elem: convert_to_tensor(elem).dtype, elems)
    kinds = [_kind(leaf) for leaf in nest.flatten(signature)]

    def body(index: Any, arrays: Any) -> Any:
        result = fn(rows.row(index))
        nest.assert_same_structure(signature, result)
        return index + 1, written(arrays, index, nest.flatten(result))

    start = arrays_for(kinds, rows.length, infer_shape)
    _, arrays = while_loop(lambda index, _: index < rows.length, body, (number(0), start))
    return nest.pack_sequence_as(signature, stacked(arrays, rows.static_length))


def _kind(leaf: object) -> Any:
    return leaf if hasattr(leaf, "shape") and hasattr(leaf, "dtype") else dtypes.as_dtype(leaf)


def _check_callable(name: str, function: object) -> None:
    if not callable(function):
        raise TypeError(f"{name} must be callable, but it is {function!r}")


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

    Returns:
      Tensors of shape [n, ...] in the structure of the results.

    Raises:
      TypeError: if `fn` is not callable.
      ValueError: if an element is a scalar, or first dimensions differ.

    >>> print(vectorized_map(lambda row: row[0] * row[1], convert_to_tensor([[1, 2], [3, 4]])))
    tf.Tensor([ 2 12], shape=(2,), dtype=int32)
    """
    _check_callable("fn", fn)
    rows = Rows(elems, repeats=True)
    length = rows.static_length
    if STATE.graph is None and length:
        results = [fn(rows.row(index)) for index in range(length)]
        columns = zip(*map(nest.flatten, results), strict=True)
        return nest.pack_sequence_as(results[0], [stack(list(column)) for column in columns])
    with inner_graph("vectorized_map") as graph:
        index = graph.add_input(number(0).spec, "index")
        result = nest.map_structure(convert_to_tensor, fn(rows.row(index)))
    signature = nest.map_structure(lambda tensor: tensor.spec, result)
    kinds = nest.flatten(signature)

    def body(index: Any, arrays: Any) -> Any:
        return index + 1, written(arrays, index, nest.flatten(fn(rows.row(index))))

    start = arrays_for(kinds, rows.length, True)
    _, arrays = while_loop(lambda index, _: index < rows.length, body, (number(0), start))
    return nest.pack_sequence_as(signature, stacked(arrays, length))
