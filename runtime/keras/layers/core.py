"""Dense layers, embeddings, activations, dropout, masks, shapes, functions and saved models."""

from __future__ import annotations

import math
import os
from typing import Any

import runtime as tf
from runtime.keras.base.conversion import user_code
from runtime.keras.base.seeds import draw_seed
from runtime.keras.base.standard import (
    REQUIRED,
    InputSpec,
    StandardLayer,
    known_axis,
    weight_options,
)


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

    def call(self, inputs: Any) -> Any:
        """Map inputs of shape [batch, ..., features] to [batch, ..., units]."""
        outputs = last_axis_product(tf.cast(inputs, self.compute_dtype), self.kernel)
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
    supports_masking = True

    def build(self, input_shape: object = None) -> None:
        """Create `embeddings`."""
        self.embeddings = self.add_option_weight("embeddings", (self.input_dim, self.output_dim))

    def call(self, inputs: Any) -> Any:
        """Return the rows, shape [..., output_dim], of indices; floats are truncated."""
        indices = inputs if inputs.dtype in (tf.int32, tf.int64) else tf.cast(inputs, tf.int32)
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


class ReLU(StandardLayer):
    """`x` where it is positive, `negative_slope * x` elsewhere.

    Args:
      max_value: upper bound of the result; None: no bound.
      negative_slope: the slope.

    >>> print(ReLU(max_value=1.0)(tf.constant([-1.0, 0.5, 3.0])).numpy())
    [0.  0.5 1. ]
    """

    parameters = {"max_value": None, "negative_slope": 0.0}
    supports_masking = True

    def call(self, inputs: Any) -> Any:
        """Apply the activation."""
        slope = self.negative_slope
        found = tf.nn.leaky_relu(inputs, slope) if slope else tf.nn.relu(inputs)
        return found if self.max_value is None else tf.minimum(found, self.max_value)


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
    supports_masking = True

    def _set_up(self) -> None:
        self.negative_slope: Any = self.negative_slope if self.alpha is None else self.alpha

    def call(self, inputs: Any) -> Any:
        """Apply the activation."""
        return tf.nn.leaky_relu(inputs, self.negative_slope)


class Softmax(StandardLayer):
    """Probabilities in proportion to `exp(x)`.

    Args:
      axis: the axis along which they sum to 1.

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
        return tf.nn.softmax(inputs, axis=self.axis)


class Lambda(StandardLayer):
    """A function as a layer.

    Args:
      function: function of the inputs, and of `mask` and `training` if it has these parameters.

    >>> print(Lambda(lambda x: x ** 2)(tf.constant([3.0])).numpy())
    [9.]
    """

    parameters = {"function": REQUIRED}

    def _set_up(self) -> None:
        if not callable(self.function):
            raise ValueError(f"`function` of Lambda is a function, not {self.function!r}.")

    def call(self, inputs: Any, mask: Any = None, training: Any = None) -> Any:
        """Call the function."""
        names = getattr(getattr(self.function, "__code__", None), "co_varnames", ())
        offered = {"mask": mask, "training": training}
        known = {name: value for name, value in offered.items() if name in names}
        return user_code(self.function)(inputs, **known)


class Masking(StandardLayer):
    """Masks the steps of which all features have one value.

    Args:
      mask_value: the value.

    >>> print(Masking(0.0).compute_mask(tf.constant([[[1.0, 2.0], [0.0, 0.0]]])).numpy())
    [[ True False]]
    """

    parameters = {"mask_value": 0.0}

    def compute_mask(self, inputs: Any, mask: object = None) -> Any:
        """Return where a feature differs from the value, shape [batch, steps]."""
        values = tf.convert_to_tensor(inputs)
        if values.dtype.is_integer:
            values = tf.cast(values, tf.float64)  # exact up to 2 ** 53; the value may be no integer
        return tf.reduce_any(tf.not_equal(values, self.mask_value), axis=-1)

    def call(self, inputs: Any) -> Any:
        """Return the inputs with zeros in masked steps."""
        return inputs * tf.cast(self.compute_mask(inputs)[..., tf.newaxis], inputs.dtype)


class Dropout(StandardLayer):
    """Sets elements to 0 while training, and scales the others up by `1 / (1 - rate)`.

    Args:
      rate: the probability of 0, between 0 and 1.
      seed: seed of the generator; None: that of the program.

    Raises: ValueError for another rate.

    >>> print(Dropout(0.5)(tf.ones([3])).numpy())
    [1. 1. 1.]
    """

    parameters = {"rate": REQUIRED, "*": None, "seed": None}
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
        return tf.nn.dropout(inputs, self.rate, seed=self._own_seed) if self.rate else inputs


def in_training(training: Any, trained: Any, other: Any) -> Any:
    """Call `trained` if `training`, a bool, None for False, or a bool tensor, else `other`."""
    if tf.is_tensor(training):
        return tf.cond(tf.cast(training, tf.bool), trained, other)
    return trained() if training else other()


class Flatten(StandardLayer):
    """All axes after the batch as one.

    >>> Flatten()(tf.ones([2, 3, 4])).shape
    TensorShape([2, 12])
    """

    input_spec = InputSpec(min_ndim=1)

    def call(self, inputs: Any) -> Any:
        """Return a tensor of shape [batch, elements]."""
        dims = inputs.shape.as_list()[1:]
        if None in dims:
            return tf.reshape(inputs, tf.stack([tf.shape(inputs)[0], -1]))
        return tf.reshape(inputs, [-1, math.prod(dims)])


class Reshape(StandardLayer):
    """The elements in another shape.

    Args:
      target_shape: the shape without the batch dimension; one size may be -1.

    Raises: ValueError for sizes below -1 or two of -1, and when it is built, for another number of
      elements.

    >>> Reshape((2, -1))(tf.ones([2, 3, 4])).shape
    TensorShape([2, 2, 6])
    """

    parameters = {"target_shape": REQUIRED}

    def _set_up(self) -> None:
        given: Any = self.target_shape
        self.target_shape: Any = (given,) if isinstance(given, int) else tuple(given)
        if min(self.target_shape, default=0) < -1 or self.target_shape.count(-1) > 1:
            raise ValueError(
                "Sizes of `target_shape` are not negative; one may be -1. Received: target_shape="
                f"{self.target_shape}"
            )

    def _target(self, known: Any) -> list[int]:
        """The target for inputs of a shape, with the size for -1 if all sizes are known."""
        target = list(self.target_shape)
        if -1 in target and None not in known:
            rest = math.prod(each for each in target if each != -1)
            target[target.index(-1)] = math.prod(known) // max(rest, 1)
        return target

    def build(self, input_shape: Any) -> None:
        """Check the number of elements.

        Raises:
          ValueError: for another number of elements.
        """
        known = input_shape[1:]
        if None not in known and math.prod(self._target(known)) != math.prod(known):
            raise ValueError(
                f"The total size of the tensor must be unchanged. Received: input_shape="
                f"{tuple(known)}, target_shape={self.target_shape} of layer '{self.name}'."
            )

    def call(self, inputs: Any) -> Any:
        """Return a tensor of shape [batch, *target_shape]."""
        target = self._target(inputs.shape.as_list()[1:])
        if -1 in target:
            return tf.reshape(inputs, tf.stack([tf.shape(inputs)[0], *target]))
        batch = inputs.shape[0]
        return tf.reshape(inputs, [-1 if batch is None else batch, *target])


class TFSMLayer(StandardLayer):
    """The computation of a SavedModel.

    Args:
      filepath: path of the directory.
      call_endpoint: the function, or the signature, that `call` runs.

    Raises: ValueError if the SavedModel has no function of the name.

    >>> import tempfile
    >>> held = tf.Module()
    >>> held.serve = tf.function(lambda x: 2.0 * x, input_signature=[tf.TensorSpec([None, 1])])
    >>> with tempfile.TemporaryDirectory() as home:
    ...     tf.saved_model.save(held, home)
    ...     print(TFSMLayer(home)(tf.constant([[3.0]])).numpy())
    [[6.]]
    """

    parameters = {"filepath": REQUIRED, "call_endpoint": "serve"}

    def _set_up(self) -> None:
        self.filepath: Any = os.fspath(self.filepath)
        self._loaded: Any = tf.saved_model.load(self.filepath)
        name, signatures = self.call_endpoint, self._loaded.signatures
        self._endpoint = getattr(self._loaded, name, None) or signatures.get(name)
        if self._endpoint is None:
            raise ValueError(
                f"The endpoint '{name}' is neither an attribute of the reloaded SavedModel, nor an "
                f"entry in its signatures: {list(signatures)}. Pass another one as "
                "`call_endpoint`."
            )
        self.built = True

    def call(self, inputs: Any) -> Any:
        """Run the function of the SavedModel."""
        return self._endpoint(inputs)
