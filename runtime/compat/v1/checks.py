"""Checks of tensors under the arguments of version 1, `data` among them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.core.errors import InvalidArgumentError
from runtime.core.operation import Operation
from runtime.core.static import static_value
from runtime.core.tensor import EagerTensor, Tensor, TensorLike
from runtime.ops import checks, comparison, rank_checks
from runtime.ops.check_parts import nothing_left
from runtime.ops.convert import convert_to_tensor as converted
from runtime.ops.convert import one_dtype
from runtime.ops.creation import zeros_like
from runtime.ops.output import Assert, summary
from runtime.ops.reduction import reduce_all

Check = Callable[..., Operation | None]
Relation = Callable[[Tensor, Tensor], Tensor]


def _require(holds: Tensor, data: Sequence[Any], summarize: int | None) -> Operation | None:
    """A check that shows `data` if it fails."""
    known = static_value(holds)
    if known is not None and np.all(known):
        return nothing_left()
    limit = 3 if summarize is None else summarize
    if isinstance(holds, EagerTensor):
        shown = [item if isinstance(item, str) else _shown(item, limit) for item in data]
        raise InvalidArgumentError(None, None, "\n".join(shown))
    return Assert(reduce_all(holds), list(data), limit)


def _shown(item: TensorLike, limit: int) -> str:
    tensor = converted(item)
    return summary(tensor.array, limit) if isinstance(tensor, EagerTensor) else str(tensor)


def _comparison(check: Check, relation: Relation, example: str) -> Check:
    def compare(
        x: TensorLike,
        y: TensorLike,
        data: Sequence[TensorLike] | None = None,
        summarize: int | None = None,
        message: str | None = None,
        name: str | None = None,
    ) -> Operation | None:
        if data is None:
            return check(x, y, message=message, summarize=summarize, name=name)
        (a, b), _ = one_dtype(check.__name__, [("x", x), ("y", y)])
        return _require(relation(a, b), data, summarize)

    return _described(compare, check, "x, y: tensors of one dtype that broadcast.", example)


def _sign(check: Check, relation: Relation, example: str) -> Check:
    def compare(
        x: TensorLike,
        data: Sequence[TensorLike] | None = None,
        summarize: int | None = None,
        message: str | None = None,
        name: str | None = None,
    ) -> Operation | None:
        if data is None:
            return check(x, message=message, summarize=summarize, name=name)
        tensor = converted(x)
        return _require(relation(tensor, zeros_like(tensor)), data, summarize)

    return _described(compare, check, "x: numbers.", example)


def _described(function: Check, check: Check, operands: str, example: str) -> Check:
    own = check.__name__
    function.__name__ = function.__qualname__ = own
    function.__doc__ = f"""The check `runtime.debugging.{own}`, with `data`.

    Args:
      {operands}
      data: what the error shows in place of the operands.
      summarize: how many elements of each tensor the error shows; None: 3.
      message: what stands first in the error, if there is no `data`.
      name: has no effect.

    Returns: the operation in a graph built by hand, else None.
    Raises: InvalidArgumentError if the check fails.

    >>> {own}({example})
    """
    return function


assert_equal = _comparison(checks.assert_equal, comparison.equal, "[1, 2], [1, 2]")
assert_none_equal = _comparison(checks.assert_none_equal, comparison.not_equal, "[1, 2], 3")
assert_less = _comparison(checks.assert_less, comparison.less, "[1, 2], 3")
assert_less_equal = _comparison(checks.assert_less_equal, comparison.less_equal, "[1, 2], 2")
assert_greater = _comparison(checks.assert_greater, comparison.greater, "[1, 2], 0")
assert_greater_equal = _comparison(
    checks.assert_greater_equal, comparison.greater_equal, "[1, 2], 1"
)
assert_positive = _sign(checks.assert_positive, comparison.greater, "[1, 2]")
assert_negative = _sign(checks.assert_negative, comparison.less, "[-1, -2]")
assert_non_negative = _sign(checks.assert_non_negative, comparison.greater_equal, "[0, 2]")
assert_non_positive = _sign(checks.assert_non_positive, comparison.less_equal, "[0, -2]")


def assert_near(
    x: TensorLike,
    y: TensorLike,
    rtol: TensorLike | None = None,
    atol: TensorLike | None = None,
    data: Sequence[TensorLike] | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation | None:
    """Checks that `abs(x - y) <= atol + rtol * abs(y)`; see `runtime.debugging.assert_near`.

    Args:
      x, y, rtol, atol, summarize, message, name: as there.
      data: has no effect: the error shows both operands.

    >>> assert_near([1.0], [1.05], atol=0.1)
    """
    return checks.assert_near(x, y, rtol, atol, message, summarize, name)


def _rank_check(check: Check, ranks: str, example: str) -> Check:
    def compare(
        x: TensorLike,
        rank: TensorLike,
        data: Sequence[TensorLike] | None = None,
        summarize: int | None = None,
        message: str | None = None,
        name: str | None = None,
    ) -> Operation | None:
        return check(x, rank, message, name)

    own = check.__name__
    compare.__name__ = compare.__qualname__ = own
    compare.__doc__ = f"""The check `runtime.debugging.{own}`.

    Args:
      x: any tensor.
      rank: {ranks}.
      data, summarize: have no effect: the error shows the shape.
      message: what stands first in the error.
      name: has no effect.

    >>> {own}({example})
    """
    return compare


assert_rank = _rank_check(rank_checks.assert_rank, "the number of dimensions", "[1, 2], 1")
assert_rank_at_least = _rank_check(
    rank_checks.assert_rank_at_least, "the least number of dimensions", "[1, 2], 1"
)


def assert_rank_in(
    x: TensorLike,
    ranks: Sequence[TensorLike],
    data: Sequence[TensorLike] | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation | None:
    """Checks that the number of dimensions is one of several; see `assert_rank`.

    >>> assert_rank_in([1, 2], (1, 2))
    """
    return rank_checks.assert_rank_in(x, ranks, message, name)


def assert_scalar(
    tensor: TensorLike, name: str | None = None, message: str | None = None
) -> Tensor:
    """Checks that a tensor is known to have no dimensions; see `runtime.debugging.assert_scalar`.

    >>> print(assert_scalar(3))
    tf.Tensor(3, shape=(), dtype=int32)
    """
    return rank_checks.assert_scalar(tensor, message, name)
