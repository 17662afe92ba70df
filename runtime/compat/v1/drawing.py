"""Random numbers under the arguments of version 1."""

from __future__ import annotations

from typing import Any

from runtime.core import dtypes
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops import checks, random, stateless_random
from runtime.ops.convert import convert_to_tensor as converted
from runtime.ops.dimensions import shape as shape_of
from runtime.ops.seeds import operation_seeds
from runtime.ops.slicing import slice as part


def poisson(
    lam: TensorLike,
    shape: Any,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Numbers from Poisson distributions; see `runtime.random.poisson`.

    >>> poisson([1.0, 2.0], [3]).shape
    TensorShape([3, 2])
    """
    return random.poisson(shape, lam, dtype, seed, name)


def random_poisson(
    lam: TensorLike,
    shape: Any,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """The same as `random.poisson`.

    >>> random_poisson([1.0, 2.0], [3]).shape
    TensorShape([3, 2])
    """
    return random.poisson(shape, lam, dtype, seed, name)


def multinomial(
    logits: TensorLike,
    num_samples: TensorLike,
    seed: int | None = None,
    name: str | None = None,
    output_dtype: Any = None,
) -> Tensor:
    """Classes, drawn by their probabilities; see `runtime.random.categorical`.

    >>> multinomial([[0.0, 0.0]], 3).shape
    TensorShape([1, 3])
    """
    return random.categorical(logits, num_samples, output_dtype, seed, name)


def stateless_multinomial(
    logits: TensorLike,
    num_samples: TensorLike,
    seed: TensorLike,
    output_dtype: Any = dtypes.int64,
    name: str | None = None,
) -> Tensor:
    """The same classes for the same seed; see `runtime.random.stateless_categorical`.

    >>> stateless_multinomial([[0.0, 0.0]], 3, [1, 2]).shape
    TensorShape([1, 3])
    """
    return stateless_random.stateless_categorical(logits, num_samples, seed, output_dtype, name)


def random_crop(
    value: TensorLike, size: TensorLike, seed: int | None = None, name: str | None = None
) -> Tensor:
    """A part of a tensor, from a place that is drawn.

    Args:
      value: any tensor.
      size: the shape of the part, a vector.
      seed: makes the sequence of draws reproducible.
      name: the name of the operation.

    Raises: InvalidArgumentError if the tensor is smaller.

    >>> random_crop([[1, 2, 3], [4, 5, 6]], [1, 3]).shape
    TensorShape([1, 3])
    """
    tensor, wanted = converted(value), converted(size, dtypes.int32)
    shape = shape_of(tensor)
    checks.assert_greater_equal(shape, wanted, "Need value.shape >= size, got ")
    limit = shape - wanted + 1
    drawn = random.uniform(shape_of(shape), 0, dtypes.int32.max, dtypes.int32, seed)
    return part(tensor, drawn % limit, wanted, name)


def get_seed(op_seed: int | None) -> tuple[int | None, int | None]:
    """The two seeds that an operation with this seed of its own would have.

    Args:
      op_seed: its seed, or None.

    Returns: both, or None for each if neither the program nor the operation has one.

    >>> import runtime as tf
    >>> tf.random.set_seed(7)
    >>> get_seed(5)
    (7, 5)
    """
    seeds = operation_seeds(op_seed)
    return (None, None) if seeds == (0, 0) else seeds
