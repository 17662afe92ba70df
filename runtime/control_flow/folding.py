"""`foldl`, `foldr` and `scan`: a function that carries a value from row to row.

`foldl` equals `functools.reduce(fn, elems, initializer)`; `scan` returns the values in between too.
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
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """`fn(...fn(fn(initializer, elems[0]), elems[1])..., elems[-1])`.

    Args:
      fn: from the value so far and a row to the next value.
      elems: a tensor of at least one dimension, or a structure of tensors with the same first one.
      initializer: the first value; None: the first row.
      parallel_iterations, back_prop, swap_memory, name: have no effect.

    Raises: TypeError if `fn` cannot be called; ValueError for elements that are scalars or differ
      in their first dimension; InvalidArgumentError without elements and initializer.

    >>> print(foldl(lambda total, x: total - x, convert_to_tensor([1, 2, 3])))
    tf.Tensor(-4, shape=(), dtype=int32)
    """
    return _fold("foldl", fn, elems, initializer, reverse=False)


def foldr(
    fn: Callable[[Any, Any], Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """The same as `foldl`, from the last row to the first.

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
    caller: str, fn: Any, elems: Any, initializer: Any, reverse: bool
) -> tuple[Rows, Any, int]:
    """The rows, the first value, and how many rows it takes."""
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


def _position(index: Any, length: TensorLike, reverse: bool) -> Any:
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
    """All values that `foldl` (or `foldr`) goes through, stacked along a new first dimension.

    Args:
      fn: from the value so far and a row to the next value.
      elems: a tensor of at least one dimension, or a structure of tensors with the same first one.
      initializer: what comes before the first value; None: the first row is the first value.
      parallel_iterations, back_prop, swap_memory, name: have no effect.
      infer_shape: whether all values have one shape.
      reverse: whether to go from the last row to the first; results stand in the order of rows.

    Returns: tensors in the structure of `initializer`, or of `elems` without it.
    Raises: as `foldl`; ValueError if `fn` returns another structure.

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
