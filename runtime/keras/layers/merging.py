"""Layers that combine several inputs, and functions that do the same."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from typing import Any

import runtime as tf
from runtime.keras.base.layer import Layer


class _Merge(Layer):
    """Combine inputs element by element; shapes broadcast, missing axes after the batch."""

    combine: Callable[..., Any]
    least = 2
    most: int | None = None

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        """Check the number and the shapes of the inputs."""
        shapes = _shapes(self, input_shape)
        if len(shapes) < self.least or (self.most is not None and len(shapes) > self.most):
            wanted = f"{self.least}" if self.most else f"at least {self.least}"
            raise ValueError(
                f"A `{type(self).__name__}` layer should be called on a list of {wanted} inputs. "
                f"Received: input_shape={input_shape} (not a list of {wanted} shapes)"
            )
        self._check_shapes(shapes)

    def _check_shapes(self, shapes: Sequence[Any]) -> None:
        for first, second in itertools.pairwise(shapes):
            for left, right in zip(reversed(first[1:]), reversed(second[1:]), strict=False):
                if None not in (left, right) and left != right and 1 not in (left, right):
                    raise ValueError(
                        f"Inputs of layer '{self.name}' have incompatible shapes. Received shapes "
                        f"{tuple(first)} and {tuple(second)}."
                    )

    def call(self, inputs: Any) -> Any:
        """Combine a list of tensors."""
        rank = max(len(each.shape) for each in inputs)
        return type(self).combine([_expand_to(each, rank) for each in inputs])

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """Return where one of the inputs counts."""
        masks = [each for each in mask or () if each is not None]
        if len(masks) < len(inputs):
            return None
        return functools.reduce(tf.logical_or, masks)


def _shapes(layer: Layer, shapes: Any) -> list[Any]:
    """The shapes of the inputs. Raises ValueError if there is one tensor."""
    if isinstance(shapes, dict):
        return list(shapes.values())
    if not isinstance(shapes, list) or not all(isinstance(each, tuple) for each in shapes):
        raise ValueError(
            f"A `{type(layer).__name__}` layer should be called on a list of inputs. Received: "
            f"input_shape={shapes} (not a list of shapes)"
        )
    return shapes


def _expand_to(tensor: Any, rank: int) -> Any:
    for _ in range(rank - len(tensor.shape)):
        tensor = tf.expand_dims(tensor, 1)
    return tensor


def reduction(function: Callable[[Any, Any], Any]) -> Callable[[Sequence[Any]], Any]:
    """Return the function of a list that combines its items from left to right."""
    return lambda inputs: functools.reduce(function, inputs)


class Add(_Merge):
    """Sum of the inputs.

    >>> print(Add()([tf.constant([[1.0]]), tf.constant([[2.0]])]).numpy())
    [[3.]]
    """

    combine = staticmethod(reduction(tf.add))


class Subtract(_Merge):
    """Difference of two inputs.

    >>> print(Subtract()([tf.constant([[1.0]]), tf.constant([[2.0]])]).numpy())
    [[-1.]]
    """

    combine = staticmethod(reduction(tf.subtract))
    most = 2


class Multiply(_Merge):
    """Product of the inputs.

    >>> print(Multiply()([tf.constant([[3.0]]), tf.constant([[2.0]])]).numpy())
    [[6.]]
    """

    combine = staticmethod(reduction(tf.multiply))


class Average(_Merge):
    """Mean of the inputs.

    >>> print(Average()([tf.constant([[1.0]]), tf.constant([[2.0]])]).numpy())
    [[1.5]]
    """

    combine = staticmethod(lambda inputs: functools.reduce(tf.add, inputs) / len(inputs))


class Maximum(_Merge):
    """Maximum of the inputs.

    >>> print(Maximum()([tf.constant([[1.0]]), tf.constant([[2.0]])]).numpy())
    [[2.]]
    """

    combine = staticmethod(reduction(tf.maximum))


class Minimum(_Merge):
    """Minimum of the inputs.

    >>> print(Minimum()([tf.constant([[1.0]]), tf.constant([[2.0]])]).numpy())
    [[1.]]
    """

    combine = staticmethod(reduction(tf.minimum))


class Concatenate(_Merge):
    """The inputs one after the other along an axis.

    Args:
      axis: the axis.

    >>> print(Concatenate()([tf.constant([[1.0]]), tf.constant([[2.0]])]).numpy())
    [[1. 2.]]
    """

    least = 1

    def __init__(self, axis: int = -1, **kwargs: Any) -> None:
        """Holds the axis."""
        super().__init__(**kwargs)
        self.axis = axis

    def _check_shapes(self, shapes: Sequence[Any]) -> None:
        rank = len(shapes[0])
        axis = self.axis % rank
        for other in shapes[1:]:
            fits = len(other) == rank and all(
                None in (left, right) or left == right
                for i, (left, right) in enumerate(zip(shapes[0], other, strict=True))
                if i != axis
            )
            if not fits:
                raise ValueError(
                    "A `Concatenate` layer requires inputs with matching shapes except for the "
                    f"concatenation axis. Received: input_shape={[tuple(each) for each in shapes]}"
                )

    def call(self, inputs: Any) -> Any:
        """Concatenate a list of tensors."""
        return tf.concat(inputs, self.axis)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """Return the masks one after the other; inputs without a mask count everywhere."""
        masks = mask or ()
        if all(each is None for each in masks):
            return None
        parts = []
        for tensor, each in zip(inputs, masks, strict=True):
            whole = tf.ones_like(tensor, tf.bool)
            if each is not None:
                while len(each.shape) < len(tensor.shape):
                    each = tf.expand_dims(each, -1)
                whole = tf.logical_and(whole, each)
            parts.append(whole)
        return tf.reduce_any(tf.concat(parts, self.axis), -1)


def _function(name: str, kind: Any) -> Callable[..., Any]:
    def function(inputs: Any, *args: Any, **kwargs: Any) -> Any:
        return kind(*args, **kwargs)(inputs)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"Call a new layer `{kind.__name__}`.\n\nArgs:\n  inputs: list of tensors.\n"
        f"  *args, **kwargs: the arguments of the layer.\n"
    )
    return function


add = _function("add", Add)
subtract = _function("subtract", Subtract)
multiply = _function("multiply", Multiply)
average = _function("average", Average)
maximum = _function("maximum", Maximum)
minimum = _function("minimum", Minimum)
concatenate = _function("concatenate", Concatenate)
