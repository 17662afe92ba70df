"""Layers that make numbers of categories: encodings, buckets and hashes."""

from __future__ import annotations

from typing import Any

import numpy as np

import runtime as tf
from runtime.keras.base.arguments import assign_arguments
from runtime.keras.base.layer import Layer


def check_mode(mode: str, *modes: str) -> str:
    """Return an output mode. Raises ValueError if it is none of the modes."""
    if mode not in modes:
        raise ValueError(
            f"Unknown arg for `output_mode`: '{mode}'. It is one of {', '.join(map(repr, modes))}."
        )
    return mode


def dense_only(**arguments: bool) -> None:
    """Raise ValueError for sparse or ragged outputs."""
    for name, value in arguments.items():
        if value:
            raise ValueError(f"`{name}=True` is not supported: all outputs are dense tensors.")


def encode(indices: Any, mode: str, depth: int, weights: Any = None, dtype: Any = None) -> Any:
    """Encode indices.

    Args:
      indices: integers of shape [...]; negative ones count nowhere.
      mode: `int`: the indices; `one_hot`: a row for each index; `multi_hot`, `count`: one row for
        the indices along the last axis, of ones or of numbers; `tf_idf`: counts times `weights`.
      depth: the length of the rows.
      weights: a weight for each index of `indices`, or for `tf_idf` for each element of a row.
      dtype: the dtype of the rows; None: float32.
    """
    if mode == "int":
        return indices
    kind = tf.as_dtype(dtype or tf.float32)
    if mode == "one_hot":
        last = indices.shape[-1] if len(indices.shape) else None
        return tf.one_hot(tf.squeeze(indices, -1) if last == 1 else indices, depth, dtype=kind)
    rows = tf.one_hot(indices, depth, dtype=kind)
    if mode == "count" and weights is not None:
        rows *= tf.cast(weights, kind)[..., tf.newaxis]
    axis: Any = -2 if len(indices.shape) else []
    if mode == "multi_hot":
        return tf.reduce_max(rows, axis)
    rows = tf.reduce_sum(rows, axis)
    return rows * tf.cast(weights, kind) if mode == "tf_idf" else rows


class CategoryEncoding(Layer):
    """Integers from 0 to `num_tokens - 1` as rows.

    Args:
      num_tokens: the length of the rows.
      output_mode: `multi_hot`, `one_hot` or `count`.
      sparse: False; all outputs are dense.

    >>> print(CategoryEncoding(num_tokens=3)([[0, 2]]).numpy())
    [[1. 0. 1.]]
    """

    def __init__(
        self,
        num_tokens: int | None = None,
        output_mode: str = "multi_hot",
        sparse: bool = False,
        **kwargs: Any,
    ) -> None:
        """Holds the arguments."""
        super().__init__(**kwargs)
        dense_only(sparse=sparse)
        if num_tokens is None:
            raise ValueError(
                "num_tokens must be set to use this layer. If the number of tokens is not known "
                "beforehand, use the IntegerLookup layer instead."
            )
        assign_arguments(self, locals())
        check_mode(output_mode, "count", "one_hot", "multi_hot")

    def call(self, inputs: Any, count_weights: Any = None) -> Any:
        """Encode integers.

        Args:
          inputs: integers of shape [batch], or [batch, tokens].
          count_weights: a weight for each integer, for `count`.
        """
        indices: Any = tf.cast(tf.convert_to_tensor(inputs), tf.int64)
        if tf.executing_eagerly():
            low, high = np.min(indices.numpy()), np.max(indices.numpy())
            if low < 0 or high >= self.num_tokens:
                raise ValueError(
                    f"Input values must be in the range 0 <= values < num_tokens with num_tokens="
                    f"{self.num_tokens}. Received values from {low} to {high}."
                )
        return encode(indices, self.output_mode, self.num_tokens, count_weights, self.compute_dtype)


class Discretization(Layer):
    """The number of the interval in which a value is.

    Args:
      bin_boundaries: ends of the intervals, ascending; None: those of `adapt`.
      num_bins: the number of intervals that `adapt` finds.
      epsilon: error of the quantiles as a fraction.
      output_mode: `int`, `one_hot`, `multi_hot` or `count`.
      sparse: False; all outputs are dense.

    Raises:
      ValueError: for none of `bin_boundaries` and `num_bins`, or for two that differ.

    >>> print(Discretization([0.0, 1.0])(tf.constant([-0.5, 0.5, 1.5])).numpy())
    [0 1 2]
    """

    def __init__(
        self,
        bin_boundaries: Any = None,
        num_bins: int | None = None,
        epsilon: float = 0.01,
        output_mode: str = "int",
        sparse: bool = False,
        **kwargs: Any,
    ) -> None:
        """Holds the arguments."""
        super().__init__(**kwargs)
        dense_only(sparse=sparse)
        size = None if bin_boundaries is None else len(bin_boundaries) + 1
        if (num_bins or size) is None or (num_bins or size) != (size or num_bins):
            raise ValueError(
                "You need to set either `num_bins` or `bin_boundaries`. Received: "
                f"num_bins={num_bins}, bin_boundaries={bin_boundaries}"
            )
        assign_arguments(self, locals())
        check_mode(output_mode, "int", "one_hot", "multi_hot", "count")
        self.bin_boundaries = None if bin_boundaries is None else list(bin_boundaries)

    def adapt(self, data: Any) -> None:
        """Take quantiles of data as ends of the intervals.

        Args:
          data: array, tensor, or dataset of batches.

        Raises:
          ValueError: if the ends were arguments of the constructor.
        """
        if self.num_bins is None:
            raise ValueError(
                f"Cannot adapt the Discretization layer '{self.name}' that has been initialized "
                "with `bin_boundaries`, use `num_bins` instead."
            )
        batches = data if isinstance(data, tf.data.Dataset) else [data]
        values = np.sort(np.concatenate([np.ravel(np.asarray(batch)) for batch in batches]))
        step = max(int(values.size * self.epsilon), 1)
        kept = values[step - 1 :: step].astype(np.float64)
        share = 1.0 / self.num_bins
        ends = share + np.arange(0.0, 1.0, share)
        shares = np.arange(1, kept.size + 1) / kept.size
        self.bin_boundaries = np.interp(ends, shares, kept)[: self.num_bins - 1].tolist()

    def call(self, inputs: Any) -> Any:
        """Return the numbers of the intervals, or their encodings."""
        if self.bin_boundaries is None:
            raise ValueError(
                f"You need to either pass the `bin_boundaries` argument at construction time or "
                f"call `adapt(dataset)` before you can start using the `Discretization` layer "
                f"'{self.name}'."
            )
        inputs = tf.cast(tf.convert_to_tensor(inputs), tf.float32)
        ends = tf.constant(self.bin_boundaries, tf.float32)
        flat = tf.searchsorted(ends, tf.reshape(inputs, [-1]), side="right")
        indices = tf.ensure_shape(tf.reshape(flat, tf.shape(inputs)), inputs.shape)
        depth = len(self.bin_boundaries) + 1
        return encode(indices, self.output_mode, depth, None, self.compute_dtype)


class Hashing(Layer):
    """Categories as numbers of buckets, by a hash.

    Args:
      num_bins: the number of buckets.
      mask_value: the category that has bucket 0 alone; None: none.
      salt: an integer or a pair of them, for another hash; None: none.
      output_mode: `int`, `one_hot`, `multi_hot` or `count`.
      sparse: False; all outputs are dense.

    >>> print(Hashing(3)(tf.constant(["a", "b", "c", "d"])).numpy())
    [0 1 1 2]
    """

    def __init__(
        self,
        num_bins: int,
        mask_value: Any = None,
        salt: Any = None,
        output_mode: str = "int",
        sparse: bool = False,
        **kwargs: Any,
    ) -> None:
        """Holds the arguments."""
        super().__init__(**kwargs)
        dense_only(sparse=sparse)
        if num_bins is None or num_bins <= 0:
            raise ValueError(
                f"The `num_bins` for `Hashing` cannot be `None` or non-positive values. Received: "
                f"num_bins={num_bins}."
            )
        assign_arguments(self, locals())
        check_mode(output_mode, "int", "one_hot", "multi_hot", "count")

    def call(self, inputs: Any) -> Any:
        """Return the numbers of the buckets, or their encodings."""
        inputs = tf.convert_to_tensor(inputs)
        texts = inputs if inputs.dtype == tf.string else tf.strings.as_string(inputs)
        count = self.num_bins if self.mask_value is None else max(self.num_bins - 1, 1)
        if self.salt is None:
            buckets = tf.strings.to_hash_bucket_fast(texts, count)
        else:
            key = [self.salt] * 2 if isinstance(self.salt, int) else list(self.salt)
            buckets = tf.strings.to_hash_bucket_strong(texts, count, key)
        if self.mask_value is not None and self.num_bins > 1:
            is_mask = tf.equal(inputs, self.mask_value)
            buckets = tf.where(is_mask, tf.zeros_like(buckets), buckets + 1)
        return encode(buckets, self.output_mode, self.num_bins, None, self.compute_dtype)
