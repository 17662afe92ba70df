"""Layers that combine several inputs, and functions that do the same.

>>> print(add([tf.constant([[1.0]]), tf.constant([[2.0]])]).numpy())
[[3.]]
>>> print(Concatenate()([tf.constant([[1.0]]), tf.constant([[2.0]])]).numpy())
[[1. 2.]]
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import runtime as tf
from runtime.keras.base.standard import StandardLayer
from runtime.keras.families import add_args, documented, show_signature


class _Merge(StandardLayer):
    """Base class of layers whose input is a list of tensors."""

    least = 2
    most: float = math.inf
    supports_masking = True

    def build(self, input_shape: Any) -> None:
        """Check the number of inputs.

        Raises:
          ValueError: for another number of inputs.
        """
        shapes = list(input_shape.values()) if isinstance(input_shape, dict) else input_shape
        are_shapes = isinstance(shapes, list) and all(isinstance(each, tuple) for each in shapes)
        if not are_shapes or not self.least <= len(shapes) <= self.most:
            wanted = self.least if self.least == self.most else f"at least {self.least}"
            raise ValueError(
                f"A `{type(self).__name__}` layer should be called on a list of {wanted} inputs. "
                f"Received: input_shape={input_shape}"
            )

    def _alike(self, inputs: Sequence[Any]) -> Sequence[Any]:
        """Cast tensors to the widest of their dtypes; integers beside floats become floats."""
        kinds = {each.dtype for each in inputs}
        if len(kinds) == 1:
            return inputs
        widest = [kind for kind in kinds if kind.is_floating] or [*kinds]
        wanted = np.result_type(*(kind.as_numpy_dtype for kind in widest))
        return [tf.cast(each, wanted) for each in inputs]


class _Combined(_Merge):
    """Layers that combine one input after the other by a function."""

    combine: Callable[[Any, Any], Any]

    def call(self, inputs: Any) -> Any:
        """Combine the tensors."""
        rank = max(len(each.shape) for each in inputs)
        wide = [_expand(each, rank, 1) for each in self._alike(inputs)]
        return functools.reduce(type(self).combine, wide)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """Return where one of the inputs counts."""
        masks = [each for each in mask or () if each is not None]
        return functools.reduce(tf.logical_or, masks) if len(masks) == len(inputs) else None


_DOC = """{doc}; missing axes are added after the batch.

    >>> print({name}()([tf.constant([[1.0]]), tf.constant([[2.0]])]).numpy())
    [[{shown}]]
    """


def _combined(
    name: str, doc: str, combine: Callable[[Any, Any], Any], shown: str, **own: Any
) -> Any:
    """Create a class of such layers."""
    text = _DOC.format(name=name, doc=doc, shown=shown)
    names = {"__doc__": text, "__module__": __name__, "combine": staticmethod(combine), **own}
    return type(name, (_Combined,), names)


Add = _combined("Add", "Sum of tensors, element by element", tf.add, "3.")
Subtract = _combined("Subtract", "Difference of two tensors", tf.subtract, "-1.", most=2)
Multiply = _combined("Multiply", "Product of tensors, element by element", tf.multiply, "2.")
Maximum = _combined("Maximum", "Maximum of tensors, element by element", tf.maximum, "2.")
Minimum = _combined("Minimum", "Minimum of tensors, element by element", tf.minimum, "1.")


class Average(Add):  # type: ignore[misc,valid-type]
    """Mean of tensors, element by element; missing axes are added after the batch.

    >>> print(Average()([tf.constant([[1.0]]), tf.constant([[2.0]])]).numpy())
    [[1.5]]
    """

    def call(self, inputs: Any) -> Any:
        """Combine the tensors."""
        return super().call(inputs) / len(inputs)


class Concatenate(_Merge):
    """The inputs one after the other along an axis.

    Args:
      axis: the axis.

    >>> print(Concatenate()([tf.constant([[1.0]]), tf.constant([[2.0]])]).numpy())
    [[1. 2.]]
    """

    parameters = {"axis": -1}
    least = 1

    def call(self, inputs: Any) -> Any:
        """Concatenate a list of tensors."""
        return tf.concat(self._alike(inputs), self.axis)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """Return the masks one after the other; inputs without a mask count everywhere."""
        masks = mask or ()
        if all(each is None for each in masks):
            return None
        parts = []
        for tensor, each in zip(inputs, masks, strict=True):
            whole = tf.ones_like(tensor, tf.bool)
            own = whole if each is None else _expand(each, len(tensor.shape), -1)
            parts.append(tf.logical_and(whole, own))
        return tf.reduce_any(tf.concat(parts, self.axis), -1)


def _expand(tensor: Any, rank: int, axis: int) -> Any:
    for _ in range(rank - len(tensor.shape)):
        tensor = tf.expand_dims(tensor, axis)
    return tensor


def _function(kind: Any) -> Any:
    def function(inputs: Any, *args: Any, **kwargs: Any) -> Any:
        return kind(*args, **kwargs)(inputs)

    function.__name__ = function.__qualname__ = kind.__name__.lower()
    texts = {"inputs": "list of tensors.", **documented(kind.__doc__)}
    example = "".join(str(inspect.getdoc(kind)).partition(">>> ")[1:])
    example = example.replace(f"{kind.__name__}()", function.__name__)
    doc = f"Call a new layer `{kind.__name__}`.\n\nReturns:\n  A tensor.\n\n{example}\n"
    function.__doc__ = add_args(doc, texts)
    return show_signature(function, inspect.signature(kind), "inputs")


add, average, concatenate = map(_function, (Add, Average, Concatenate))
subtract, multiply = map(_function, (Subtract, Multiply))
maximum, minimum = map(_function, (Maximum, Minimum))
