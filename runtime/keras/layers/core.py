"""Dense layers, embeddings, activations, and functions as layers."""

from __future__ import annotations

from typing import Any

import runtime as tf
from runtime.keras import activations
from runtime.keras.base.conversion import user_code
from runtime.keras.base.seeds import draw_seed
from runtime.keras.base.spec import InputSpec
from runtime.keras.base.standard import REQUIRED, StandardLayer, known_axis, weight_options
from runtime.keras.families import documented


class Dense(StandardLayer):
    """`activation(inputs @ kernel + bias)` along the last axis.

    Args:
      units: the size of the last axis of the outputs.

    Raises: ValueError if `units` is not positive.

    >>> Dense(3, activation="relu")(tf.ones([2, 4])).shape
    TensorShape([2, 3])
    """

    parameters = {
        "units": REQUIRED,
        "activation": None,
        "use_bias": True,
        **weight_options(kernel="glorot_uniform", bias="zeros", activity=True),
    }
    supports_masking = True
    input_spec = InputSpec(min_ndim=2)

    def build(self, input_shape: object) -> None:
        """Create `kernel` and `bias`."""
        size = known_axis(self, input_shape, -1)
        self.kernel = self.add_option_weight("kernel", (size, self.units))
        self.bias = self.add_option_weight("bias", (self.units,), self.use_bias)
        self.input_spec = InputSpec(min_ndim=2, axes={-1: size})

    def call(self, inputs: Any, training: Any = None) -> Any:
        """Map inputs of shape [batch, ..., features] to [batch, ..., units]."""
        inputs = tf.cast(inputs, self.compute_dtype)
        outputs = last_axis_product(inputs, self.kernel)
        if self.bias is not None:
            outputs += self.bias
        return user_code(self.activation)(outputs)


def last_axis_product(inputs: Any, kernel: Any) -> Any:
    """Multiply the last axis of a tensor of any rank by a matrix."""
    return tf.matmul(inputs, kernel) if len(inputs.shape) == 2 else tf.tensordot(inputs, kernel, 1)


class Embedding(StandardLayer):
    """Rows of a matrix by index.

    Args:
      input_dim: the number of rows.
      output_dim: the length of a row.
      mask_zero: whether index 0 is padding, which layers after this one skip.

    >>> Embedding(10, 4)(tf.constant([[1, 2, 3]])).shape
    TensorShape([1, 3, 4])
    """

    parameters = {
        "input_dim": REQUIRED,
        "output_dim": REQUIRED,
        **weight_options(embeddings="uniform"),
        "mask_zero": False,
    }

    def _set_up(self) -> None:
        self.supports_masking = self.mask_zero

    def build(self, input_shape: object = None) -> None:
        """Create `embeddings`."""
        self.embeddings = self.add_option_weight("embeddings", (self.input_dim, self.output_dim))

    def call(self, inputs: Any) -> Any:
        """Return the rows, shape [..., output_dim], of indices; floats are truncated."""
        indices = inputs if inputs.dtype.is_integer else tf.cast(inputs, tf.int32)
        return tf.gather(self.embeddings, indices)

    def compute_mask(self, inputs: object, mask: object = None) -> Any:
        """Return where the index is not 0; None unless `mask_zero`."""
        return tf.not_equal(inputs, 0) if self.mask_zero else None


class Activation(StandardLayer):
    """An activation as a layer.

    >>> print(Activation("relu")(tf.constant([-1.0, 2.0])).numpy())
    [0. 2.]
    """

    parameters = {"activation": REQUIRED}
    supports_masking = True

    def call(self, inputs: Any) -> Any:
        """Apply the activation."""
        return user_code(self.activation)(inputs)


class _ActivationOf(StandardLayer):
    """The activation `keras.activations.{name}` as a layer.

    >>> print(ReLU(max_value=1.0)(tf.constant([-1.0, 0.5, 3.0])).numpy())
    [0.  0.5 1. ]
    """

    function: Any
    supports_masking = True

    def call(self, inputs: Any) -> Any:
        """Apply the activation."""
        options = {name: getattr(self, name) for name in self.parameters}
        return type(self).function(inputs, **options)


def _activation(name: str, function: Any, **parameters: Any) -> Any:
    doc = str(_ActivationOf.__doc__).replace("{name}", function.__name__)
    names = {"function": staticmethod(function), "parameters": parameters}
    names["docs"] = documented(function.__doc__)
    return type(name, (_ActivationOf,), {"__doc__": doc, "__module__": __name__, **names})


ReLU = _activation("ReLU", activations.relu, max_value=None, negative_slope=0.0, threshold=0.0)
ELU = _activation("ELU", activations.elu, alpha=1.0)


class LeakyReLU(StandardLayer):
    """`x` where it is positive, `negative_slope * x` elsewhere.

    Args:
      negative_slope: the slope.
      alpha: the same as `negative_slope`.

    >>> print(LeakyReLU(0.1)(tf.constant([-1.0, 2.0])).numpy())
    [-0.1  2. ]
    """

    parameters = {"negative_slope": 0.3, "alpha": None}
    not_in_config = frozenset({"alpha"})
    negative_slope: Any
    supports_masking = True

    def _set_up(self) -> None:
        self.negative_slope = self.negative_slope if self.alpha is None else self.alpha

    def call(self, inputs: Any) -> Any:
        """Apply the activation."""
        return activations.leaky_relu(inputs, self.negative_slope)


class Softmax(StandardLayer):
    """Probabilities in proportion to `exp(x)`.

    Args:
      axis: the axis or axes along which they sum to 1.

    >>> print(Softmax()(tf.constant([[0.0, 0.0]])).numpy())
    [[0.5 0.5]]
    """

    parameters = {"axis": -1}
    supports_masking = True

    def call(self, inputs: Any, mask: Any = None) -> Any:
        """Compute the probabilities; masked elements have probability 0."""
        if mask is not None:
            # Keras adds the same numbers, which each dtype can hold.
            lowest = -3e4 if inputs.dtype == tf.float16 else -1e9
            inputs += (1.0 - tf.cast(mask, inputs.dtype)) * lowest
        if isinstance(self.axis, list):
            return tf.exp(inputs - tf.reduce_logsumexp(inputs, self.axis, keepdims=True))
        return activations.softmax(inputs, axis=self.axis)


class Lambda(StandardLayer):
    """A function as a layer.

    Args:
      function: function of the inputs, and of `mask` and `training` if it has these parameters.
      output_shape: has no effect: the shape is that of the result.
      mask: the mask of the outputs, or a function of inputs and mask.
      arguments: further arguments by name.

    >>> print(Lambda(lambda x: x ** 2)(tf.constant([3.0])).numpy())
    [9.]
    """

    parameters = {"function": REQUIRED, "output_shape": None, "mask": None, "arguments": None}
    not_in_config = frozenset({"output_shape", "mask"})
    arguments: Any

    def _set_up(self) -> None:
        self.arguments = dict(self.arguments or {})
        self.supports_masking = self.mask is not None

    def call(self, inputs: Any, mask: Any = None, training: Any = None) -> Any:
        """Call the function."""
        names = getattr(getattr(self.function, "__code__", None), "co_varnames", ())
        offered = {"mask": mask, "training": training}
        known = {name: value for name, value in offered.items() if name in names}
        return user_code(self.function)(inputs, **known, **self.arguments)

    def compute_mask(self, inputs: object, mask: object = None) -> Any:
        """Return the mask, or what its function returns."""
        return user_code(self.mask)(inputs, mask) if callable(self.mask) else self.mask


class Masking(StandardLayer):
    """Masks the steps of which all features have one value.

    Args:
      mask_value: the value.

    >>> print(Masking(0.0).compute_mask(tf.constant([[[1.0, 2.0], [0.0, 0.0]]])).numpy())
    [[ True False]]
    """

    parameters = {"mask_value": 0.0}

    def compute_mask(self, inputs: object, mask: object = None) -> Any:
        """Return where a feature differs from the value, shape [batch, steps]."""
        return tf.reduce_any(tf.not_equal(inputs, self.mask_value), axis=-1)

    def call(self, inputs: Any) -> Any:
        """Return the inputs with zeros in masked steps."""
        return inputs * tf.cast(self.compute_mask(inputs)[..., tf.newaxis], inputs.dtype)


class Dropout(StandardLayer):
    """Sets elements to 0 while training, and scales the others up by `1 / (1 - rate)`.

    Args:
      rate: the probability of 0, between 0 and 1.
      noise_shape: shape of the random mask, which broadcasts; None: that of the inputs.

    Raises: ValueError for another rate.

    >>> print(Dropout(0.5)(tf.ones([3])).numpy())
    [1. 1. 1.]
    """

    parameters = {"rate": REQUIRED, "noise_shape": None, "seed": None}
    supports_masking = True

    def _set_up(self) -> None:
        if not 0 <= self.rate <= 1:
            raise ValueError(
                f"Invalid value received for argument `rate`. Expected a float value between 0 and "
                f"1. Received: rate={self.rate}"
            )
        # As in Keras, a layer that drops nothing draws no seed.
        self._own_seed = draw_seed() if self.rate and self.seed is None else self.seed

    def call(self, inputs: Any, training: Any = False) -> Any:
        """Return the inputs, with zeros if `training`."""
        return in_training(training, lambda: self._drop(inputs), lambda: inputs)

    def _drop(self, inputs: object) -> Any:
        if self.rate == 1:
            return tf.zeros_like(inputs)
        if self.rate == 0:
            return inputs
        dims = tf.shape(inputs)
        shape = self.noise_shape and [
            dims[axis] if size is None else size for axis, size in enumerate(self.noise_shape)
        ]
        return tf.nn.dropout(inputs, self.rate, shape, self._own_seed)


def in_training(training: Any, trained: Any, other: Any) -> Any:
    """Compute one of two results.

    Args:
      training: a bool, None for False, or a bool tensor.
      trained: function of no argument for the result while training.
      other: function of no argument for the result otherwise.
    """
    if tf.is_tensor(training):
        return tf.cond(tf.cast(training, tf.bool), trained, other)
    return trained() if training else other()
