"""Layers that make numbers of categories: encodings, buckets and hashes."""

from __future__ import annotations

from typing import Any

import numpy as np

import runtime as tf
from runtime.keras.base.standard import REQUIRED, StandardLayer

_MODES = ("int", "one_hot", "multi_hot", "count")


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


class CategoryEncoding(StandardLayer):
    """Integers from 0 to `num_tokens - 1` as rows.

    Args:
      num_tokens: the length of the rows.
      output_mode: `multi_hot`, `one_hot` or `count`.

    >>> print(CategoryEncoding(num_tokens=3)([[0, 2]]).numpy())
    [[1. 0. 1.]]
    """

    parameters = {"num_tokens": None, "output_mode": "multi_hot", "sparse": False}
    choices = {"output_mode": _MODES[1:]}

    def _set_up(self) -> None:
        if self.num_tokens is None:
            raise ValueError(
                "num_tokens must be set to use this layer. If the number of tokens is not known "
                "beforehand, use the IntegerLookup layer instead."
            )

    def call(self, inputs: Any, count_weights: Any = None) -> Any:
        """Encode integers.

        Args:
          inputs: integers of shape [batch], or [batch, tokens].
          count_weights: a weight for each integer, for `count`.
        """
        indices: Any = tf.cast(tf.convert_to_tensor(inputs), tf.int64)
        text = (
            "Input values must be in the range 0 <= values < num_tokens with num_tokens="
            f"{self.num_tokens}."
        )
        if tf.executing_eagerly():
            low, high = np.min(indices.numpy()), np.max(indices.numpy())
            if low < 0 or high >= self.num_tokens:
                raise ValueError(f"{text} Received values from {low} to {high}.")
        else:
            tf.debugging.assert_non_negative(indices, text)
            tf.debugging.assert_less(indices, tf.constant(self.num_tokens, tf.int64), text)
        return encode(indices, self.output_mode, self.num_tokens, count_weights, self.compute_dtype)


class Discretization(StandardLayer):
    """The number of the interval in which a value is.

    Args:
      bin_boundaries: ends of the intervals, ascending; None: those of `adapt`.
      num_bins: the number of intervals that `adapt` finds.
      epsilon: error of the quantiles as a fraction.
      output_mode: `int`, `one_hot`, `multi_hot` or `count`.

    Raises: ValueError for none of `bin_boundaries` and `num_bins`, or for two that differ.

    >>> print(Discretization([0.0, 1.0])(tf.constant([-0.5, 0.5, 1.5])).numpy())
    [0 1 2]
    """

    parameters = {
        "bin_boundaries": None, "num_bins": None, "epsilon": 0.01, "output_mode": "int",
        "sparse": False,
    }  # fmt: skip
    choices = {"output_mode": _MODES}
    bin_boundaries: Any

    def _set_up(self) -> None:
        ends, bins = self.bin_boundaries, self.num_bins
        self.bin_boundaries = None if ends is None else list(ends)
        if (ends is None and bins is None) or (
            ends is not None and bins not in (None, len(ends) + 1)
        ):
            raise ValueError(
                "You need to set either `num_bins` or `bin_boundaries`. Received: "
                f"num_bins={bins}, bin_boundaries={ends}"
            )

    def adapt(self, data: object) -> None:
        """Take quantiles of data as ends of the intervals.

        Args:
          data: array, tensor, or dataset of batches.

        Raises: ValueError if the ends were arguments of the constructor.
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
                f"Layer '{self.name}' has no intervals: pass `bin_boundaries=` to Discretization, "
                "or call `adapt(data)` before."
            )
        inputs = tf.cast(tf.convert_to_tensor(inputs), tf.float32)
        ends = tf.constant(self.bin_boundaries, tf.float32)
        flat = tf.searchsorted(ends, tf.reshape(inputs, [-1]), side="right")
        indices = tf.ensure_shape(tf.reshape(flat, tf.shape(inputs)), inputs.shape)
        depth = len(self.bin_boundaries) + 1
        return encode(indices, self.output_mode, depth, None, self.compute_dtype)


class Hashing(StandardLayer):
    """Categories as numbers of buckets, by a hash.

    Args:
      num_bins: the number of buckets.
      mask_value: the category that has bucket 0 alone; None: none.
      output_mode: `int`, `one_hot`, `multi_hot` or `count`.

    >>> print(Hashing(3)(tf.constant(["a", "b", "c", "d"])).numpy())
    [0 1 1 2]
    """

    parameters = {
        "num_bins": REQUIRED, "mask_value": None, "output_mode": "int",
        "sparse": False,
    }  # fmt: skip
    choices = {"output_mode": _MODES}

    def _set_up(self) -> None:
        if self.num_bins is None or self.num_bins <= 0:
            raise ValueError(
                f"The `num_bins` for `Hashing` cannot be `None` or non-positive values. Received: "
                f"num_bins={self.num_bins}."
            )

    def call(self, inputs: Any) -> Any:
        """Return the numbers of the buckets, or their encodings."""
        inputs = tf.convert_to_tensor(inputs)
        texts = inputs if inputs.dtype == tf.string else tf.strings.as_string(inputs)
        count = self.num_bins if self.mask_value is None else max(self.num_bins - 1, 1)
        buckets = tf.strings.to_hash_bucket_fast(texts, count)
        if self.mask_value is not None and self.num_bins > 1:
            is_mask = tf.equal(inputs, self.mask_value)
            buckets = tf.where(is_mask, tf.zeros_like(buckets), buckets + 1)
        return encode(buckets, self.output_mode, self.num_bins, None, self.compute_dtype)
