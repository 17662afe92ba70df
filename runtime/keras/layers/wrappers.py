"""Recurrent layers that run in both directions."""

from __future__ import annotations

from typing import Any

import runtime as tf
from runtime.keras.base.layer import Layer
from runtime.keras.layers.merging import reduction

_MERGES: dict[str, Any] = {
    "concat": lambda pair: tf.concat(pair, -1),
    "sum": reduction(tf.add),
    "ave": lambda pair: (pair[0] + pair[1]) / 2,
    "mul": reduction(tf.multiply),
}


class Bidirectional(Layer):
    """A recurrent layer and its copy that runs backwards.

    Args:
      layer: the recurrent layer.
      merge_mode: `concat`, `sum`, `ave` or `mul`: how outputs of both are combined; None: a list.
      weights: first values of the variables; None: those of the initializers.
      backward_layer: the layer that runs backwards; None: a copy.

    Raises:
      ValueError: for other modes, and if both run in one direction.

    >>> from runtime.keras.layers.recurrent import LSTM
    >>> Bidirectional(LSTM(3))(tf.ones([2, 5, 4])).shape
    TensorShape([2, 6])
    """

    _not_in_config = frozenset({"weights"})

    def __init__(
        self,
        layer: Any,
        merge_mode: str | None = "concat",
        weights: Any = None,
        backward_layer: Any = None,
        **kwargs: Any,
    ) -> None:
        """Creates the backward layer."""
        super().__init__(**kwargs)
        if merge_mode is not None and merge_mode not in _MERGES:
            raise ValueError(
                f"Invalid merge mode. Received: {merge_mode}. Merge mode should be one of "
                f"{[*_MERGES, None]}"
            )
        config = layer.get_config()
        self.forward_layer = type(layer).from_config(config | {"name": f"forward_{layer.name}"})
        if backward_layer is None:
            config["go_backwards"] = not config["go_backwards"]
            backward_layer = type(layer).from_config(config | {"name": f"backward_{layer.name}"})
        elif backward_layer.go_backwards == layer.go_backwards:
            raise ValueError(
                "Forward layer and backward layer should have different `go_backwards` value. "
                f"Received: {layer.go_backwards} for both."
            )
        self.backward_layer = backward_layer
        self.merge_mode = merge_mode
        self.supports_masking = True
        self._first_weights = weights

    @property
    def layer(self) -> Any:
        """The layer that runs forwards."""
        return self.forward_layer

    @property
    def return_sequences(self) -> bool:
        """Whether outputs of all steps are returned."""
        return bool(self.forward_layer.return_sequences)

    def build(self, input_shape: Any) -> None:
        """Build both layers."""
        for each in (self.forward_layer, self.backward_layer):
            if not each.built:
                each._build_from({"input_shape": input_shape})
        if self._first_weights is not None:
            self.set_weights(self._first_weights)

    def call(
        self, sequences: Any, initial_state: Any = None, mask: Any = None, training: Any = None
    ) -> Any:
        """Run both layers.

        Args:
          sequences: shape [batch, steps, ...].
          initial_state: states of the forward layer, then those of the backward layer.
          mask: bools of shape [batch, steps].
          training: passed to the layers.

        Returns:
          The combined outputs; with `return_state` a list of them and the states of both.
        """
        half = len(initial_state or ()) // 2
        first, second = (
            each(sequences, initial_state=state, mask=mask, training=training)
            for each, state in (
                (self.forward_layer, initial_state and initial_state[:half]),
                (self.backward_layer, initial_state and initial_state[half:]),
            )
        )
        states: list[Any] = []
        if self.forward_layer.return_state:
            (first, *own), (second, *other) = first, second
            states = [*own, *other]
        if self.return_sequences:
            second = tf.reverse(second, [1])
        pair = [first, second]
        merged = pair if self.merge_mode is None else _MERGES[self.merge_mode](pair)
        if not states:
            return merged
        return [*(merged if isinstance(merged, list) else [merged]), *states]

    def reset_state(self) -> None:
        """Set the states of both layers to zeros."""
        self.forward_layer.reset_state()
        self.backward_layer.reset_state()

    reset_states = reset_state

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """Return the mask for outputs of all steps."""
        mask = mask[0] if isinstance(mask, (list, tuple)) else mask
        own = mask if self.return_sequences else None
        return own if self.merge_mode is not None else [own, own]
