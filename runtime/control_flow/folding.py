"""`foldl`, `foldr` and `scan`: reductions with an arbitrary function.

`foldl` equals `functools.reduce(fn, elems, initializer)`; `scan` also returns the intermediate
values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.control_flow.rows import Rows, arrays_for, number, stacked, written
from runtime.control_flow.while_loop import while_loop
from runtime.core import nest
from runtime.core.tensor import TensorLike
from runtime.ops.array.list_values import ListBoundsError
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.effects.output import Assert


def foldl(
    fn: Callable[[Any, Any], Any],
    elems: object,
    initializer: object = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """Return `fn(...fn(fn(initializer, elems[0]), elems[1])..., elems[-1])`.

    Args:
      fn: maps the accumulated value and a row to the next value.
      elems: a tensor of shape [n, ...], or a structure of such tensors with equal n.
      initializer: the first value; None: the first row.
      parallel_iterations, back_prop, swap_memory, name: ignored.

    Returns:
      The last value, in the structure of `initializer`, or of `elems` without it.

    Raises:
      TypeError: if `fn` is not callable.
      ValueError: if an element is a scalar, or first dimensions differ.
      InvalidArgumentError: without rows and initializer.

    >>> print(foldl(lambda total, x: total - x, convert_to_tensor([1, 2, 3])))
    tf.Tensor(-4, shape=(), dtype=int32)
    """
    return _fold("foldl", fn, elems, initializer, reverse=False)


def foldr(
    fn: Callable[[Any, Any], Any],
    elems: object,
    initializer: object = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """Fold from the last row to the first; otherwise like `foldl`.

    Args:
      fn, elems, initializer: as in `foldl`.
      parallel_iterations, back_prop, swap_memory, name: ignored.

    Returns:
      The last value.

    >>> print(foldr(lambda total, x: total - x, convert_to_tensor([1, 2, 4])))
    tf.Tensor(1, shape=(), dtype=int32)
    """
    return _fold("foldr", fn, elems, initializer, reverse=True)


def _fold(caller: str, fn: Any, elems: Any, initializer: Any, reverse: bool) -> Any:
    rows, value, start = _begin(caller, fn, elems, initializer, reverse)

    def body(index: Any, value: Any) -> Any:
        return index + 1, fn(value, rows.row(_position(index, rows.length, reverse)))

    return while_loop(lambda index, _: index < rows.length, body, (number(start), value))[1]


def _begin(
    caller: str, fn: object, elems: object, initializer: object, reverse: bool
) -> tuple[Rows, Any, int]:
    """Return the rows, the first value, and the number of rows it consumes."""
    if not callable(fn):
        raise TypeError(f"{fn.__name__ if hasattr(fn, '__name__') else fn!r} is not callable.")
    rows = Rows(elems)
    if initializer is not None:
        return rows, nest.map_structure(convert_to_tensor, initializer), 0
    text = f"{caller} without an initializer needs at least one element"
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
    """Return all values of `foldl` (or `foldr`), stacked along a new first axis.

    Args:
      fn: maps the accumulated value and a row to the next value.
      elems: a tensor of shape [n, ...], or a structure of such tensors with equal n.
      initializer: the value before the first row; None: the first row is the first value.
      parallel_iterations, back_prop, swap_memory, name: ignored.
      infer_shape: whether all values have one shape.
      reverse: whether to go from the last row to the first; results keep the order of rows.

    Returns:
      Tensors of shape [n, ...] in the structure of `initializer`, or of `elems` without it.

    Raises:
      TypeError: if `fn` is not callable.
      ValueError: if `fn` returns another structure, an element is a scalar, or first dimensions
        differ.
      InvalidArgumentError: without rows and initializer.

    >>> print(scan(lambda total, x: total + x, convert_to_tensor([1, 2, 3])))
    tf.Tensor([1 3 6], shape=(3,), dtype=int32)
    """
    rows, value, start = _begin("scan", fn, elems, initializer, reverse)
    like = value
    arrays = arrays_for([leaf.dtype for leaf in nest.flatten(value)], rows.length, infer_shape)
    if start:
        arrays = written(arrays, _position(0, rows.length, reverse), nest.flatten(value))

    def body(index: Any, value: Any, arrays: Any) -> Any:
        position = _position(index, rows.length, reverse)
        result = fn(value, rows.row(position))
        nest.assert_same_structure(like, result)
        return index + 1, result, written(arrays, position, nest.flatten(result))

    state = (number(start), value, arrays)
    _, _, arrays = while_loop(lambda index, *_: index < rows.length, body, state)
    return nest.pack_sequence_as(like, stacked(arrays, rows.static_length))
