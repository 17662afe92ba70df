"""Attention: outputs that are means of values, weighted by products of queries and keys.

Source: Vaswani et al., "Attention Is All You Need", 2017.
"""

from __future__ import annotations

import math
from typing import Any

import runtime as tf
from runtime.keras.base.arguments import assign_arguments
from runtime.keras.base.layer import Layer
from runtime.keras.base.names import path_scope
from runtime.keras.layers.core import EinsumDense, Softmax
from runtime.keras.layers.regularization import Dropout


class MultiHeadAttention(Layer):
    """Attention with several heads, each with maps of its own.

    Args:
      num_heads: the number of heads.
      key_dim: size of queries and keys of a head.
      value_dim: size of values of a head; None: `key_dim`.
      dropout: fraction of the weights that is dropped while training.
      use_bias: whether the maps have a bias.
      output_shape: size of the outputs; None: that of the queries.
      kernel_initializer, bias_initializer: initializers or their names.
      kernel_regularizer, bias_regularizer, activity_regularizer: regularizers.
      kernel_constraint, bias_constraint: constraints of the variables.
      seed: seed of the dropout; None: that of the program.

    >>> x = tf.ones([2, 5, 8])
    >>> MultiHeadAttention(num_heads=2, key_dim=4)(x, x).shape
    TensorShape([2, 5, 8])
    """

    def __init__(
        self,
        num_heads: int,
        key_dim: int,
        value_dim: int | None = None,
        dropout: float = 0.0,
        use_bias: bool = True,
        output_shape: int | None = None,
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        bias_constraint: Any = None,
        seed: int | None = None,
        **kwargs: Any,
    ) -> None:
        """Creates the layer without variables."""
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        assign_arguments(self, {k: v for k, v in locals().items() if k != "output_shape"})
        self.value_dim = value_dim or key_dim
        self._output_size = output_shape
        self.supports_masking = True

    _not_in_config = frozenset({"output_shape"})

    def get_config(self) -> dict[str, Any]:
        """Return the arguments of the constructor."""
        return super().get_config() | {"output_shape": self._output_size}

    def build(  # type: ignore[override]
        self, query_shape: Any, value_shape: Any, key_shape: Any = None
    ) -> None:
        """Create the maps of queries, keys, values and outputs."""
        size = self._output_size or query_shape[-1]
        heads, names = self.num_heads, ("query", "key", "value", "attention_output")
        shapes = (query_shape, key_shape or value_shape, value_shape)
        widths = (self.key_dim, self.key_dim, self.value_dim)
        for name, shape, width in zip(names, shapes, widths, strict=False):
            self._add_map(name, "abc,cde->abde", (None, heads, width), "de", shape)
        between = (*query_shape[:-1], heads, self.value_dim)
        self._add_map(names[3], "abcd,cde->abe", (None, size), "e", between)
        self._softmax = Softmax(dtype=self.dtype_policy)
        self._dropout = Dropout(self.dropout, seed=self.seed, dtype=self.dtype_policy)

    def _add_map(self, name: str, equation: str, sizes: Any, bias: str, shape: Any) -> None:
        kinds = ("kernel_initializer", "bias_initializer", "kernel_regularizer",
                 "bias_regularizer", "kernel_constraint", "bias_constraint")  # fmt: skip
        options = {kind: getattr(self, kind) for kind in kinds}
        layer = EinsumDense(
            equation, sizes, bias_axes=bias if self.use_bias else None, name=name,
            dtype=self.dtype_policy, **options,
        )  # fmt: skip
        with path_scope(self.name):
            layer._build_from({"input_shape": shape})
        setattr(self, f"_{name}_map", layer)

    def call(
        self,
        query: Any,
        value: Any,
        key: Any = None,
        query_mask: Any = None,
        value_mask: Any = None,
        key_mask: Any = None,
        attention_mask: Any = None,
        return_attention_scores: bool = False,
        training: Any = None,
        use_causal_mask: bool = False,
    ) -> Any:
        """Compute the outputs.

        Args:
          query: shape [batch, targets, features].
          value: shape [batch, sources, features].
          key: shape [batch, sources, features]; None: `value`.
          query_mask, value_mask, key_mask: bools of shape [batch, targets] or [batch, sources].
          attention_mask: bools of shape [batch, targets, sources], or with a second axis of heads.
          return_attention_scores: whether to return the weights, too.
          training: whether weights are dropped.
          use_causal_mask: whether a target sees only sources that are not after it.

        Returns:
          Tensor of shape [batch, targets, size]; or that and the weights of shape [batch, heads,
          targets, sources].
        """
        mask = self._mask(
            query, value, query_mask, value_mask, key_mask, attention_mask, use_causal_mask
        )
        queries = self._query_map(query) * (1.0 / math.sqrt(self.key_dim))
        keys, values = self._key_map(value if key is None else key), self._value_map(value)
        scores = tf.einsum("bthd,bshd->bhts", queries, keys)
        if mask is not None and len(mask.shape) == 3:
            mask = tf.expand_dims(mask, 1)
        weights = self._softmax(scores, mask=mask)
        kept = self._dropout(weights, training=training)
        outputs = self._attention_output_map(tf.einsum("bhts,bshd->bthd", kept, values))
        return (outputs, weights) if return_attention_scores else outputs

    def _mask(
        self, query: Any, value: Any, query_mask: Any, value_mask: Any, key_mask: Any,
        attention_mask: Any, causal: bool,
    ) -> Any:  # fmt: skip
        """Where a target sees a source; None: everywhere."""
        parts = [
            None if query_mask is None else tf.cast(query_mask, tf.bool)[:, :, tf.newaxis],
            None if value_mask is None else tf.cast(value_mask, tf.bool)[:, tf.newaxis, :],
            None if key_mask is None else tf.cast(key_mask, tf.bool)[:, tf.newaxis, :],
        ]
        if causal:
            targets, sources = tf.range(tf.shape(query)[1]), tf.range(tf.shape(value)[1])
            parts.append((targets[:, tf.newaxis] >= sources[tf.newaxis, :])[tf.newaxis])
        mask = None
        for part in parts:
            if part is not None:
                mask = part if mask is None else tf.logical_and(mask, part)
        if attention_mask is None:
            return mask
        own = tf.cast(attention_mask, tf.bool)
        if mask is not None and len(own.shape) == 4:
            mask = tf.expand_dims(mask, 1)
        return own if mask is None else tf.logical_and(mask, own)

    def compute_mask(self, query: Any, previous_mask: Any = None) -> Any:
        """Return the mask of the queries."""
        return previous_mask
