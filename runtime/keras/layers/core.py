"""Dense layers, embeddings, activations, and layers around functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import runtime as tf
from runtime.keras import activations
from runtime.keras.base.arguments import assign_arguments
from runtime.keras.base.conversion import user_code
from runtime.keras.base.layer import Layer
from runtime.keras.base.spec import InputSpec


class Dense(Layer):
    """`activation(inputs @ kernel + bias)` along the last axis.

    Args:
      units: the size of the last axis of the outputs.
      activation: activation or its name; None: none.
      use_bias: whether a bias is added.
      kernel_initializer, bias_initializer: initializers or their names.
      kernel_regularizer, bias_regularizer: regularizers of the variables.
      activity_regularizer: regularizer of the outputs.
      kernel_constraint, bias_constraint: constraints of the variables.

    Raises:
      ValueError: if `units` is not positive.

    >>> Dense(3, activation="relu")(tf.ones([2, 4])).shape
    TensorShape([2, 3])
    """

    def __init__(
        self,
        units: int,
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        bias_constraint: Any = None,
        **kwargs: Any,
    ) -> None:
        """Creates the layer without variables."""
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        assign_arguments(self, locals())
        self.units = positive("units", units)
        self.input_spec = InputSpec(min_ndim=2)
        self.supports_masking = True
        self.bias: Any = None

    def build(self, input_shape: Any) -> None:
        """Create `kernel` and `bias`."""
        size = known_axis(self, input_shape, -1)
        self.kernel = add_weights(self, kernel=(size, self.units))
        if self.use_bias:
            self.bias = add_weights(self, bias=(self.units,))
        self.input_spec = InputSpec(min_ndim=2, axes={-1: size})

    def call(self, inputs: Any, training: Any = None) -> Any:
        """Compute the outputs.

        Args:
          inputs: shape [batch, ..., features].

        Returns:
          Tensor of shape [batch, ..., units].
        """
        inputs = tf.cast(inputs, self.compute_dtype)
        is_matrix = inputs.shape.rank == 2
        outputs = (
            tf.matmul(inputs, self.kernel) if is_matrix else tf.tensordot(inputs, self.kernel, 1)
        )
        if self.bias is not None:
            outputs += self.bias
        return user_code(self.activation)(outputs)


def positive(name: str, value: Any) -> int:
    """Return a size. Raises ValueError if it is not a positive integer."""
    if isinstance(value, bool) or not hasattr(value, "__index__") or value <= 0:
        raise ValueError(
            f"Received an invalid value for `{name}`, expected a positive integer. Received: "
            f"{name}={value}"
        )
    return int(value)


def known_axis(layer: Layer, shape: Any, axis: int) -> int:
    """Return the size of an axis of the inputs. Raises ValueError if it is not known."""
    size = shape[axis]
    if size is None:
        raise ValueError(
            f"The size of axis {axis} of the inputs of {type(layer).__name__} '{layer.name}' must "
            f"be known when its variables are created. Received: input_shape={tuple(shape)}."
        )
    return int(size)


def add_weights(layer: Any, **shapes: Any) -> Any:
    """Create variables with the initializers, regularizers and constraints of a layer.

    Args:
      layer: the layer; `kernel` has the initializer `kernel_initializer`, and so on.
      **shapes: shapes by name.

    Returns:
      The variable; for several names, a list of them.
    """
    made = [
        layer.add_weight(
            shape=shape,
            name=name,
            initializer=getattr(layer, f"{name}_initializer"),
            regularizer=getattr(layer, f"{name}_regularizer"),
            constraint=getattr(layer, f"{name}_constraint"),
        )
        for name, shape in shapes.items()
    ]
    return made[0] if len(made) == 1 else made


class Embedding(Layer):
    """Rows of a matrix by index.

    Args:
      input_dim: the number of rows.
      output_dim: the length of a row.
      embeddings_initializer, embeddings_regularizer, embeddings_constraint: of the matrix.
      mask_zero: whether index 0 is padding, which layers after this one skip.
      weights: the matrix; None: that of the initializer.
      input_length: has no effect.

    >>> Embedding(10, 4)(tf.constant([[1, 2, 3]])).shape
    TensorShape([1, 3, 4])
    """

    _not_in_config = frozenset({"weights", "input_length"})

    def __init__(
        self,
        input_dim: int,
        output_dim: int,
        embeddings_initializer: Any = "uniform",
        embeddings_regularizer: Any = None,
        embeddings_constraint: Any = None,
        mask_zero: bool = False,
        weights: Any = None,
        input_length: int | None = None,
        **kwargs: Any,
    ) -> None:
        """Creates the matrix."""
        super().__init__(**kwargs)
        assign_arguments(self, {k: v for k, v in locals().items() if k != "weights"})
        self.supports_masking = mask_zero
        self.build(None)
        if weights is not None:
            self.set_weights(weights if isinstance(weights, (list, tuple)) else [weights])

    def build(self, input_shape: Any) -> None:
        """Create `embeddings`."""
        if not self.built:
            self.embeddings = add_weights(self, embeddings=(self.input_dim, self.output_dim))
        self.built = True

    def call(self, inputs: Any) -> Any:
        """Return the rows.

        Args:
          inputs: indices of shape [...]; floats are truncated.

        Returns:
          Tensor of shape [..., output_dim].
        """
        indices = inputs if inputs.dtype.is_integer else tf.cast(inputs, tf.int32)
        return tf.gather(self.embeddings, indices)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """Return where the index is not 0; None unless `mask_zero`."""
        return tf.not_equal(inputs, 0) if self.mask_zero else None


class Activation(Layer):
    """An activation as a layer.

    Args:
      activation: activation or its name.

    >>> print(Activation("relu")(tf.constant([-1.0, 2.0])).numpy())
    [0. 2.]
    """

    def __init__(self, activation: Any, **kwargs: Any) -> None:
        """Finds the activation."""
        super().__init__(**kwargs)
        self.activation = activations.get(activation)
        self.supports_masking = True

    def call(self, inputs: Any) -> Any:
        """Compute the outputs, of the shape of the inputs."""
        return user_code(self.activation)(inputs)


class Lambda(Layer):
    """A function as a layer.

    Args:
      function: function of the inputs, and of `mask` and `training` if it has these parameters.
      output_shape: has no effect: the shape is that of the result.
      mask: the mask of the outputs, or a function of inputs and mask.
      arguments: further arguments by name.

    >>> print(Lambda(lambda x: x ** 2)(tf.constant([3.0])).numpy())
    [9.]
    """

    def __init__(
        self,
        function: Callable[..., Any],
        output_shape: Any = None,
        mask: Any = None,
        arguments: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """Holds the function."""
        super().__init__(**kwargs)
        self.function = function
        self.arguments = dict(arguments or {})
        self._mask = mask
        self.supports_masking = mask is not None

    def call(self, inputs: Any, mask: Any = None, training: Any = None) -> Any:
        """Call the function."""
        names = getattr(getattr(self.function, "__code__", None), "co_varnames", ())
        offered = {"mask": mask, "training": training}
        known = {name: value for name, value in offered.items() if name in names}
        return user_code(self.function)(inputs, **known, **self.arguments)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """Return the mask, or what its function returns."""
        return user_code(self._mask)(inputs, mask) if callable(self._mask) else self._mask

    def _own_config(self) -> dict[str, Any]:
        return {"function": self.function, "arguments": self.arguments}


class Masking(Layer):
    """Masks the steps of which all features have one value.

    Args:
      mask_value: the value.

    >>> layer = Masking(0.0)
    >>> x = tf.constant([[[1.0, 2.0], [0.0, 0.0]]])
    >>> print(layer.compute_mask(x).numpy())
    [[ True False]]
    """

    def __init__(self, mask_value: Any = 0.0, **kwargs: Any) -> None:
        """Holds the value."""
        super().__init__(**kwargs)
        self.mask_value = mask_value

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """Return where a feature differs from the value, shape [batch, steps]."""
        return tf.reduce_any(tf.not_equal(inputs, self.mask_value), axis=-1)

    def call(self, inputs: Any) -> Any:
        """Return the inputs with zeros in masked steps."""
        kept = tf.reduce_any(tf.not_equal(inputs, self.mask_value), axis=-1, keepdims=True)
        return inputs * tf.cast(kept, inputs.dtype)


class Identity(Layer):
    """Returns its inputs.

    >>> print(Identity()(tf.constant([1.0])).numpy())
    [1.]
    """

    def __init__(self, **kwargs: Any) -> None:
        """Creates the layer."""
        super().__init__(**kwargs)
        self.supports_masking = True

    def call(self, inputs: Any) -> Any:
        """Return the inputs."""
        return inputs


class ReLU(Layer):
    """Rectified linear units; see `keras.activations.relu`.

    Args:
      max_value: largest value of the outputs; None: no limit.
      negative_slope: slope below the threshold.
      threshold: where the slope changes.

    >>> print(ReLU(max_value=1.0)(tf.constant([-1.0, 0.5, 3.0])).numpy())
    [0.  0.5 1. ]
    """

    def __init__(
        self,
        max_value: float | None = None,
        negative_slope: float = 0.0,
        threshold: float = 0.0,
        **kwargs: Any,
    ) -> None:
        """Holds the arguments."""
        super().__init__(**kwargs)
        assign_arguments(self, locals())
        self.supports_masking = True

    def call(self, inputs: Any) -> Any:
        """Compute the outputs, of the shape of the inputs."""
        return activations.relu(inputs, self.negative_slope, self.max_value, self.threshold)


class LeakyReLU(Layer):
    """`x` where it is positive, `negative_slope * x` elsewhere.

    Args:
      negative_slope: the slope.
      alpha: the same as `negative_slope`.

    >>> print(LeakyReLU(0.1)(tf.constant([-1.0, 2.0])).numpy())
    [-0.1  2. ]
    """

    _not_in_config = frozenset({"alpha"})

    def __init__(
        self, negative_slope: float = 0.3, alpha: float | None = None, **kwargs: Any
    ) -> None:
        """Holds the slope."""
        super().__init__(**kwargs)
        self.negative_slope = negative_slope if alpha is None else alpha
        self.supports_masking = True

    def call(self, inputs: Any) -> Any:
        """Compute the outputs, of the shape of the inputs."""
        return activations.leaky_relu(inputs, self.negative_slope)


class ELU(Layer):
    """`x` where it is positive, `alpha * (exp(x) - 1)` elsewhere.

    Args:
      alpha: the factor.

    >>> print(ELU()(tf.constant([0.0, 2.0])).numpy())
    [0. 2.]
    """

    def __init__(self, alpha: float = 1.0, **kwargs: Any) -> None:
        """Holds the factor."""
        super().__init__(**kwargs)
        self.alpha = alpha
        self.supports_masking = True

    def call(self, inputs: Any) -> Any:
        """Compute the outputs, of the shape of the inputs."""
        return activations.elu(inputs, self.alpha)


class Softmax(Layer):
    """Probabilities in proportion to `exp(x)`.

    Args:
      axis: the axis or axes along which they sum to 1.

    >>> print(Softmax()(tf.constant([[0.0, 0.0]])).numpy())
    [[0.5 0.5]]
    """

    def __init__(self, axis: Any = -1, **kwargs: Any) -> None:
        """Holds the axis."""
        super().__init__(**kwargs)
        self.axis = list(axis) if isinstance(axis, (list, tuple)) else axis
        self.supports_masking = True

    def call(self, inputs: Any, mask: Any = None) -> Any:
        """Compute the outputs, of the shape of the inputs.

        Args:
          inputs: floats.
          mask: bools; masked elements have probability 0.
        """
        if mask is not None:
            inputs += (1.0 - tf.cast(mask, inputs.dtype)) * LOWEST[inputs.dtype.name]
        if isinstance(self.axis, list):
            return tf.exp(inputs - tf.reduce_logsumexp(inputs, self.axis, keepdims=True))
        return activations.softmax(inputs, axis=self.axis)


LOWEST = {"float16": -3e4, "bfloat16": -1e9, "float32": -1e9, "float64": -1e9}
"""Summands that make elements of a softmax 0; Keras adds the same ones."""
