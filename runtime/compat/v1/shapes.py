"""Shapes and their changes under the arguments of version 1."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.compat.v1.renamed import either
from runtime.core.shapes import TensorShape
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops import arranging, creation, dimensions, layout, shaping
from runtime.ops.values import to_array


def expand_dims(
    input: TensorLike, axis: int | None = None, name: str | None = None, dim: int | None = None
) -> Tensor:
    """One more dimension of length 1; see `runtime.expand_dims`.

    Args:
      input: any tensor.
      axis, dim: where the dimension is, under one of the names.
      name: the name of the operation.

    Raises: ValueError if there is no axis, or one under both names.

    >>> expand_dims([1, 2], dim=0).shape
    TensorShape([1, 2])
    """
    wanted = either("axis", axis, "dim", dim)
    if wanted is None:
        raise ValueError("Must specify an axis argument to tf.expand_dims()")
    return shaping.expand_dims(input, wanted, name)


def squeeze(
    input: TensorLike, axis: Any = None, name: str | None = None, squeeze_dims: Any = None
) -> Tensor:
    """Without dimensions of length 1; see `runtime.squeeze`.

    Args:
      input: any tensor.
      axis, squeeze_dims: which dimensions go, under one of the names; None: all of length 1.
      name: the name of the operation.

    >>> squeeze([[1, 2]], squeeze_dims=[0]).shape
    TensorShape([2])
    """
    wanted = either("axis", axis, "squeeze_dims", squeeze_dims)
    return shaping.squeeze(input, None if wanted in (None, []) else wanted, name)


def shape(input: TensorLike, name: str | None = None, out_type: Any = None) -> Tensor:
    """The shape as a tensor; see `runtime.shape`.

    >>> print(shape([[1, 2]]))
    tf.Tensor([1 2], shape=(2,), dtype=int32)
    """
    return dimensions.shape(input, out_type, name)


def size(input: TensorLike, name: str | None = None, out_type: Any = None) -> Tensor:
    """How many elements a tensor has; see `runtime.size`.

    >>> print(size([[1, 2]]))
    tf.Tensor(2, shape=(), dtype=int32)
    """
    return dimensions.size(input, out_type, name)


def transpose(
    a: TensorLike, perm: Any = None, name: str = "transpose", conjugate: bool = False
) -> Tensor:
    """The dimensions in another order; see `runtime.transpose`.

    >>> transpose([[1, 2]]).shape
    TensorShape([2, 1])
    """
    return shaping.transpose(a, perm, conjugate, name)


def zeros_like(
    tensor: TensorLike, dtype: Any = None, name: str | None = None, optimize: bool = True
) -> Tensor:
    """Zeros in the shape of a tensor; see `runtime.zeros_like`.

    Args:
      tensor: what has the shape.
      dtype: of the result; None: that of `tensor`.
      name: the name of the operation.
      optimize: has no effect.

    >>> print(zeros_like([1, 2]))
    tf.Tensor([0 0], shape=(2,), dtype=int32)
    """
    return creation.zeros_like(tensor, dtype, name)


def ones_like(
    tensor: TensorLike, dtype: Any = None, name: str | None = None, optimize: bool = True
) -> Tensor:
    """Ones in the shape of a tensor; see `zeros_like`.

    >>> print(ones_like([1, 2]))
    tf.Tensor([1 1], shape=(2,), dtype=int32)
    """
    return creation.ones_like(tensor, dtype, name)


def pad(
    tensor: TensorLike,
    paddings: TensorLike,
    mode: str = "CONSTANT",
    name: str | None = None,
    constant_values: TensorLike = 0,
) -> Tensor:
    """A tensor with more elements at its ends; see `runtime.pad`.

    >>> print(pad([1], [[1, 0]], constant_values=7))
    tf.Tensor([7 1], shape=(2,), dtype=int32)
    """
    return arranging.pad(tensor, paddings, mode, constant_values, name)


def reverse_sequence(
    input: TensorLike,
    seq_lengths: TensorLike,
    seq_axis: int | None = None,
    batch_axis: int | None = None,
    name: str | None = None,
    seq_dim: int | None = None,
    batch_dim: int | None = None,
) -> Tensor:
    """The beginnings of sequences, backwards; see `runtime.reverse_sequence`.

    Args:
      input: the sequences.
      seq_lengths: how much of each is turned around.
      seq_axis, seq_dim: the axis along a sequence, under one of the names.
      batch_axis, batch_dim: the axis of the sequences, under one of the names.
      name: the name of the operation.

    >>> print(reverse_sequence([[1, 2, 3]], [2], seq_dim=1, batch_dim=0))
    tf.Tensor([[2 1 3]], shape=(1, 3), dtype=int32)
    """
    along = either("seq_axis", seq_axis, "seq_dim", seq_dim)
    across = either("batch_axis", batch_axis, "batch_dim", batch_dim)
    return arranging.reverse_sequence(input, seq_lengths, along, across, name)


def depth_to_space(
    input: TensorLike, block_size: int, name: str | None = None, data_format: str = "NHWC"
) -> Tensor:
    """Channels spread over blocks of pixels; see `runtime.nn.depth_to_space`.

    >>> depth_to_space([[[[1, 2, 3, 4]]]], 2).shape
    TensorShape([1, 2, 2, 1])
    """
    return layout.depth_to_space(input, block_size, data_format, name)


def space_to_depth(
    input: TensorLike, block_size: int, name: str | None = None, data_format: str = "NHWC"
) -> Tensor:
    """Blocks of pixels gathered into channels; see `runtime.nn.space_to_depth`.

    >>> space_to_depth([[[[1], [2]], [[3], [4]]]], 2).shape
    TensorShape([1, 1, 1, 4])
    """
    return layout.space_to_depth(input, block_size, data_format, name)


def constant(
    value: Any,
    dtype: Any = None,
    shape: Any = None,
    name: str = "Const",
    verify_shape: bool = False,
) -> Tensor:
    """A tensor with this value; see `runtime.constant`.

    Args:
      value: numbers, strings or an array.
      dtype: of the result; None: it follows from the value.
      shape: of the result; one element is repeated, unless `verify_shape`.
      name: the name of the operation.
      verify_shape: whether the value must have that shape itself.

    Raises: TypeError if the value does not have the shape.

    >>> print(constant(1, shape=[2]))
    tf.Tensor([1 1], shape=(2,), dtype=int32)
    """
    if verify_shape and shape is not None:
        own, wanted = np.shape(to_array(value)), tuple(TensorShape(shape).as_list())
        if own != wanted:
            raise TypeError(
                f"Expected Tensor {value} (converted from {value}) with shape {wanted}, but got "
                f"shape {own}."
            )
    return creation.constant(value, dtype, shape, name)
