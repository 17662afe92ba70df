"""Parameters of `call` methods: tensors, masks and `training`; shapes of tensors."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import runtime as tf


class CallSignature(NamedTuple):
    """The parameters of a `call` method: `names` without `self`; the `first`, or an empty string.

    `training_place` and `training` are position and default of `training`. `masks` has for each
    parameter of tensors the one that takes its mask. `takes_any`: whether it takes `**kwargs`.
    """

    names: tuple[str, ...]
    first: str
    training_place: int | None
    training: Any
    masks: dict[str, str]
    takes_any: bool

    def by_name(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments of a call by name."""
        return dict(zip(self.names or ("input",), args, strict=False)) | kwargs


@functools.lru_cache(maxsize=1024)
def call_signature(call: Callable[..., Any]) -> CallSignature:
    """Return the parameters of a function `call(self, ...)`."""
    parameters = list(inspect.signature(call).parameters.values())[1:]
    plain = {
        each.name: each
        for each in parameters
        if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
    }
    names = tuple(plain)
    first = names[0] if names else ""
    masks = {name: f"{name}_mask" for name in names if f"{name}_mask" in plain}
    if "mask" in plain and first not in masks:
        masks[first] = "mask"
    training = plain.get("training")
    default = None if training is None or training.default is training.empty else training.default
    takes_any = any(each.kind is each.VAR_KEYWORD for each in parameters)
    place = None if training is None else names.index("training")
    return CallSignature(names, first, place, default, masks, takes_any)


def is_numbers(value: object) -> bool:
    """Return whether a value is a number or string, or nested lists of them."""
    if isinstance(value, (list, tuple)):
        return bool(value) and all(map(is_numbers, value))
    return isinstance(value, (int, float, str, bytes))


def is_tensors(value: object) -> bool:
    """Return whether a value is a tensor, or a structure of tensors alone."""
    if tf.is_tensor(value):
        return True
    if not isinstance(value, (list, tuple, dict)) or not value:
        return False
    return all(map(tf.is_tensor, tf.nest.flatten(value)))


def shapes_of(tensors: Any) -> Any:
    """Return the shapes of a structure of tensors as tuples, in the same structure."""
    if tf.is_tensor(tensors):
        dims = tensors.shape
        return None if dims.rank is None else tuple(dims)
    if isinstance(tensors, dict):
        return {key: shapes_of(value) for key, value in tensors.items()}
    if isinstance(tensors, (list, tuple)):
        return [shapes_of(value) for value in tensors]
    return None


def _is_shape(value: object) -> bool:
    return isinstance(value, (list, tuple, tf.TensorShape)) and all(
        each is None or isinstance(each, int) for each in value
    )


def map_shapes(function: Callable[[Any], Any], shapes: Any) -> Any:
    """Apply a function to each shape of a structure of shapes."""
    if _is_shape(shapes):
        return function(shapes)
    if isinstance(shapes, dict):
        return {key: map_shapes(function, value) for key, value in shapes.items()}
    return [map_shapes(function, value) for value in shapes]


def as_shapes(value: object) -> Any:
    """Return shapes, as JSON or a program writes them, as tuples."""
    return map_shapes(tuple, value)


class InputSpec(NamedTuple):
    """Requirements on an input: the rank, the smallest rank, and sizes by axis."""

    ndim: int | None = None
    min_ndim: int = 0
    axes: Mapping[int, int] = {}

    def check(self, layer: str, value: Any) -> None:
        """Raise ValueError, with the name of the layer, if an input does not fit."""
        if not tf.is_tensor(value) or value.shape.rank is None:
            return
        dims = tuple(value.shape)
        text = f"Input 0 of layer '{layer}' is incompatible with the layer"
        if self.ndim not in (None, len(dims)) or len(dims) < self.min_ndim:
            wanted = f"ndim={self.ndim}" if self.ndim else f"min_ndim={self.min_ndim}"
            raise ValueError(
                f"{text}: expected {wanted}, found ndim={len(dims)}. Full shape received: {dims}"
            )
        for axis, size in self.axes.items():
            if dims[axis] not in (size, None):
                raise ValueError(
                    f"{text}: expected axis {axis} of input shape to have value {size}, but "
                    f"received input with shape {dims}"
                )
