"""Checks of whole tensors: `runtime.debugging`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.core.tensor import Tensor, TensorLike
from runtime.ops import comparison, elementwise
from runtime.ops.convert import convert_to_tensor, one_dtype
from runtime.ops.output import Assert
from runtime.ops.reduction import reduce_all


def _check(
    relation: Callable[..., Tensor], sign: str, x: TensorLike, y: TensorLike, message: str | None
) -> None:
    (a, b), _ = one_dtype(f"assert x {sign} y", [("x", x), ("y", y)])
    parts: list[Any] = [] if message is None else [message]
    text = f"x {sign} y did not hold element by element"
    Assert(reduce_all(relation(a, b)), [*parts, text, "x =", a, "y =", b])


def assert_equal(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: Any = None,
    name: str | None = None,
) -> None:
    """Checks that `x == y` for all elements when the program runs.

    Raises: InvalidArgumentError with both values if not.

    >>> assert_equal([1, 2], [1, 2])
    """
    _check(comparison.equal, "==", x, y, message)


def assert_none_equal(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: Any = None,
    name: str | None = None,
) -> None:
    """Checks that `x != y` for all elements; see `assert_equal`.

    >>> assert_none_equal([1, 2], 3)
    """
    _check(comparison.not_equal, "!=", x, y, message)


def assert_less(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: Any = None,
    name: str | None = None,
) -> None:
    """Checks that `x < y` for all elements; see `assert_equal`.

    >>> assert_less([1, 2], 3)
    """
    _check(comparison.less, "<", x, y, message)


def assert_less_equal(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: Any = None,
    name: str | None = None,
) -> None:
    """Checks that `x <= y` for all elements; see `assert_equal`.

    >>> assert_less_equal([1, 2], 2)
    """
    _check(comparison.less_equal, "<=", x, y, message)


def assert_greater(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: Any = None,
    name: str | None = None,
) -> None:
    """Checks that `x > y` for all elements; see `assert_equal`.

    >>> assert_greater([1, 2], 0)
    """
    _check(comparison.greater, ">", x, y, message)


def assert_greater_equal(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: Any = None,
    name: str | None = None,
) -> None:
    """Checks that `x >= y` for all elements; see `assert_equal`.

    >>> assert_greater_equal([1, 2], 1)
    """
    _check(comparison.greater_equal, ">=", x, y, message)


def assert_positive(
    x: TensorLike, message: str | None = None, summarize: Any = None, name: str | None = None
) -> None:
    """Checks that all elements are above 0; see `assert_equal`.

    >>> assert_positive([1, 2])
    """
    assert_greater(x, 0, message)


def assert_non_negative(
    x: TensorLike, message: str | None = None, summarize: Any = None, name: str | None = None
) -> None:
    """Checks that no element is below 0; see `assert_equal`.

    >>> assert_non_negative([0, 2])
    """
    assert_greater_equal(x, 0, message)


def assert_all_finite(x: TensorLike, message: str, name: str | None = None) -> Tensor:
    """Checks that no element is infinite or NaN; gives the tensor.

    Raises: InvalidArgumentError with `message` if one is.

    >>> print(assert_all_finite(1.0, "not finite"))
    tf.Tensor(1.0, shape=(), dtype=float32)
    """
    tensor = convert_to_tensor(x)
    Assert(reduce_all(elementwise.is_finite(tensor)), [message, tensor])
    return tensor


def assert_rank(
    x: TensorLike, rank: int, message: str | None = None, name: str | None = None
) -> None:
    """Checks the number of dimensions, as far as it is known at once.

    Raises: ValueError if it is another.

    >>> assert_rank([1, 2], 1)
    """
    found = convert_to_tensor(x).shape.rank
    if found is not None and found != rank:
        raise ValueError(f"{message or 'assert_rank'}: rank {rank} is needed, not {found}")


def assert_type(
    tensor: TensorLike, tf_type: Any, message: str | None = None, name: str | None = None
) -> None:
    """Checks the dtype.

    Raises: TypeError if it is another.

    >>> assert_type([1.0], "float32")
    """
    found = convert_to_tensor(tensor).dtype
    if found != tf_type:
        raise TypeError(f"{message or 'assert_type'}: {tf_type} is needed, not {found.name}")


def assert_shapes(shapes: Any, message: str | None = None, name: str | None = None) -> None:
    """Checks the shapes of several tensors, as far as they are known at once.

    Args:
      shapes: pairs of a tensor and its shape.

    Raises: ValueError if a shape is another.

    >>> assert_shapes([(convert_to_tensor([1, 2]), [2])])
    """
    for tensor, shape in shapes.items() if hasattr(shapes, "items") else shapes:
        found = convert_to_tensor(tensor).shape
        if not found.is_compatible_with(shape):
            raise ValueError(f"{message or 'assert_shapes'}: {shape} is needed, not {found}")


def is_numeric_tensor(tensor: Any) -> bool:
    """Whether the argument is a tensor of numbers.

    >>> is_numeric_tensor(convert_to_tensor(1))
    True
    """
    return isinstance(tensor, Tensor) and tensor.dtype.is_numeric
