"""Checks of ranks and shapes, during tracing where they are known."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from runtime.core import dtypes
from runtime.core.operation import Operation
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.dimensions import rank as rank_of
from runtime.ops.array.dimensions import shape as shape_of
from runtime.ops.array.joining import stack
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.checks.parts import name_in_graph, name_of, nothing_left, prefix
from runtime.ops.effects.output import Assert
from runtime.ops.items.indexing import getitem
from runtime.ops.math import comparison
from runtime.ops.reduce.reduction import reduce_any


def _ranks(x: TensorLike, ranks: Sequence[Any]) -> tuple[Tensor, list[Any], list[int | None]]:
    tensor = convert_to_tensor(x)
    given = [convert_to_tensor(rank) for rank in ranks]
    for rank in given:
        if rank.dtype is not dtypes.int32:
            raise TypeError(
                f"{name_in_graph(rank) or 'tensor'} must be of type tf.int32; got {rank.dtype!r}"
            )
        if rank.shape.rank not in (0, None):
            raise ValueError("Rank must be a scalar.")
    known = [static_value(rank) for rank in given]
    return tensor, given, [None if value is None else int(value) for value in known]


def _check_rank(
    x: TensorLike,
    ranks: Sequence[Any],
    wanted: str,
    fits: Callable[[int, Sequence[int]], bool],
    at_run_time: Callable[[Tensor, Sequence[Tensor]], Tensor],
    message: str | None,
) -> Operation | None:
    tensor, given, known = _ranks(x, ranks)
    have = tensor.shape.rank
    numbers = [rank for rank in known if rank is not None]
    if have is not None and len(numbers) == len(known):
        if not fits(have, numbers):
            shown = tuple(numbers) if "in" in wanted.split() else numbers[0]
            raise ValueError(
                f"{prefix(message)}Tensor {name_in_graph(tensor)} must have rank {wanted}{shown}.  "
                f"Received rank {have}, shape {tensor.shape}"
            )
        return nothing_left()
    text = f"Tensor {name_in_graph(tensor)} must have rank {wanted}".rstrip()
    data = [prefix(message), text, *given, "Received shape: ", shape_of(tensor)]
    return Assert(at_run_time(rank_of(tensor), given), data)


def assert_rank(
    x: TensorLike, rank: TensorLike, message: str | None = None, name: str | None = None
) -> Operation | None:
    """Check the rank of a tensor.

    Args:
      x: Tensor.
      rank: int32 scalar.
      message: first words of the error.
      name: not used.

    Returns:
      The operation in a graph built by hand, None otherwise.

    Raises:
      ValueError: if the rank is known to be another.
      InvalidArgumentError: if it is another when the graph runs.

    >>> assert_rank([1, 2], 1)
    """
    return _check_rank(
        x,
        [rank],
        "",
        lambda have, ranks: have == ranks[0],
        lambda have, ranks: comparison.equal(have, ranks[0]),
        message,
    )


def assert_rank_at_least(
    x: TensorLike, rank: TensorLike, message: str | None = None, name: str | None = None
) -> Operation | None:
    """Check that the rank of a tensor is at least `rank`.

    Args:
      x, rank, message, name: as of `assert_rank`, which raises the same errors.

    >>> assert_rank_at_least([1, 2], 1)
    """
    return _check_rank(
        x,
        [rank],
        "at least ",
        lambda have, ranks: have >= ranks[0],
        lambda have, ranks: comparison.greater_equal(have, ranks[0]),
        message,
    )


def assert_rank_in(
    x: TensorLike, ranks: Sequence[TensorLike], message: str | None = None, name: str | None = None
) -> Operation | None:
    """Check that the rank of a tensor is one of several.

    Args:
      ranks: int32 scalars.
      x, message, name: as of `assert_rank`, which raises the same errors.

    >>> assert_rank_in([1, 2], (1, 2))
    """
    return _check_rank(
        x,
        list(ranks),
        "in ",
        lambda have, numbers: have in numbers,
        lambda have, numbers: reduce_any(
            stack([comparison.equal(have, number) for number in numbers])
        ),
        message,
    )


def assert_scalar(
    tensor: TensorLike, message: str | None = None, name: str | None = None
) -> Tensor:
    """Return a tensor after checking that it is a scalar.

    Args:
      tensor: Tensor.
      message: first words of the error.
      name: not used.

    Raises:
      ValueError: if the rank is not 0, or unknown.

    >>> print(assert_scalar(3))
    tf.Tensor(3, shape=(), dtype=int32)
    """
    x = convert_to_tensor(tensor)
    if x.shape.rank != 0:
        subject = f" for {name_in_graph(x)}" if name_in_graph(x) else ""
        raise ValueError(f"{prefix(message)}Expected scalar shape{subject}, saw shape: {x.shape}.")
    return x


class _Sizes:
    """The sizes of symbols, each with the dimension that it was found at."""

    def __init__(self, message: str | None) -> None:
        self.message = message
        self._found: dict[str, tuple[Any, str]] = {}

    def check(self, tensor: Tensor, axis: int, symbol: Any) -> None:
        """Check one dimension against a number, or against the size of its symbol."""
        if symbol is None or symbol in (".", ""):
            return
        size = self._size(tensor, axis)
        number = _number(symbol)
        if number is None and symbol not in self._found:
            self._found[symbol] = (size, f"Specified by tensor {name_of(tensor)} dimension {axis}")
            return
        wanted, origin = (
            (number, "Specified explicitly") if number is not None else self._found[symbol]
        )
        if isinstance(size, int) and isinstance(wanted, int):
            if size != wanted:
                raise ValueError(
                    f"{prefix(self.message)}{origin}.  Tensor {name_of(tensor)} dimension {axis}"
                    f" must have size {wanted}.  Received size {size}, shape {tensor.shape}"
                )
            return
        data = [prefix(self.message), origin, f"Tensor {name_of(tensor)} dimension", axis]
        data += ["must have size", wanted, "Received shape: ", shape_of(tensor)]
        Assert(comparison.equal(size, wanted), data)

    @staticmethod
    def _size(tensor: Tensor, axis: int) -> Any:
        dims = tensor.spec.dims
        if dims is not None and dims[axis] is not None:
            return dims[axis]
        return getitem(shape_of(tensor), axis)


def _number(symbol: Any) -> int | None:
    if isinstance(symbol, str):
        return int(symbol) if symbol.isdigit() else None
    return int(symbol)


def assert_shapes(
    shapes: Any,
    data: Sequence[TensorLike] | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> None:
    """Check the shapes of several tensors, where equal symbols are equal sizes.

    Args:
      shapes: pairs of a tensor and its shape. An entry of a shape is a number, a symbol (any
        string), None or "." for any size; "..." first or last is any number of dimensions. A
        string of one-letter symbols is a shape too.
      data, summarize, name: not used.
      message: first words of the error.

    Raises:
      ValueError: if a shape is known to be another.
      InvalidArgumentError: if it is another when the graph runs.

    >>> x, y = convert_to_tensor([[1, 2]]), convert_to_tensor([3, 4])
    >>> assert_shapes([(x, ("N", "D")), (y, ("D",))])
    """
    pairs = list(shapes.items()) if isinstance(shapes, Mapping) else list(shapes)
    sizes = _Sizes(message)
    for value, wanted in pairs:
        tensor = convert_to_tensor(value)
        symbols = _symbols(wanted)
        front = bool(symbols) and symbols[0] in ("...", Ellipsis)
        back = len(symbols) > 1 and symbols[-1] in ("...", Ellipsis)
        named = symbols[1 if front else 0 : len(symbols) - 1 if back else None]
        if front or back:
            assert_rank_at_least(tensor, len(named), message)
        elif len(named) < 2:
            assert_rank_in(tensor, (0, 1), message)
        else:
            assert_rank(tensor, len(named), message)
        _check_sizes(sizes, tensor, named or [1], front)


def _symbols(wanted: Any) -> list[Any]:
    if isinstance(wanted, str) and "..." in wanted:
        head, _, tail = wanted.partition("...")
        return [*head, "...", *tail]
    return list(wanted)


def _check_sizes(sizes: _Sizes, tensor: Tensor, named: list[Any], from_end: bool) -> None:
    if tensor.shape.rank == 0:
        return
    for position, symbol in enumerate(named):
        axis = position - len(named) if from_end else position
        if from_end and tensor.shape.rank is not None:
            axis += tensor.shape.rank
        sizes.check(tensor, axis, symbol)
