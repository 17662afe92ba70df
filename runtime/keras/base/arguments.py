"""Arguments of the layers of this package: as attributes, and in configs.

A parameter is known by the last word of its name: `kernel_initializer` is an initializer or its
name, `recurrent_activation` an activation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.keras import activations, constraints, initializers, regularizers
from runtime.keras.saving.registry import plain

_GET: dict[str, Callable[[Any], Any]] = {
    "activation": activations.get,
    "constraint": constraints.get,
    "initializer": initializers.get,
    "regularizer": regularizers.get,
}
_SERIALIZE: dict[str, Callable[[Any], Any]] = {"activation": activations.serialize}


def assign_arguments(layer: Any, arguments: dict[str, Any]) -> None:
    """Set attributes of a layer to the arguments of its constructor.

    Args:
      layer: the layer.
      arguments: values by name, as `locals()` of the constructor returns them.
    """
    for name, value in arguments.items():
        if name not in ("self", "kwargs", "__class__", "activity_regularizer"):
            setattr(layer, name, _GET.get(name.rpartition("_")[2], _same)(value))


def serialize_argument(name: str, value: Any) -> Any:
    """Return the value of a parameter as in a config."""
    return _SERIALIZE.get(name.rpartition("_")[2], plain)(value)


def per_axis(value: Any, rank: int, name: str) -> tuple[int, ...]:
    """Return one integer for each spatial axis.

    Args:
      value: an integer, for all axes, or one for each.
      rank: the number of axes.
      name: the parameter, for messages.

    Raises:
      ValueError: for anything else.

    >>> per_axis(2, 3, "strides"), per_axis([1, 2], 2, "strides")
    ((2, 2, 2), (1, 2))
    """
    items = (value,) * rank if isinstance(value, int) else value
    if not isinstance(items, (list, tuple)) or len(items) != rank:
        raise ValueError(
            f"The `{name}` argument must be an integer or a tuple of {rank} integers. "
            f"Received: {name}={value}"
        )
    return tuple(int(item) for item in items)


_AXES = {1: "steps", 2: "height, width", 3: "depth, height, width"}


def with_rank(name: str, base: Any, rank: int, **attributes: Any) -> Any:
    """Return a class of layers for a number of spatial axes.

    Args:
      name: the name of the class.
      base: the class that computes for any number.
      rank: the number of spatial axes.
      **attributes: further attributes of the class.
    """
    doc = str(base.__doc__).replace("{axes}", f"[batch, {_AXES[rank]}, channels]")
    space = {"__doc__": doc, "__module__": base.__module__, "rank": rank}
    return type(name, (base,), space | attributes)


def _same(value: Any) -> Any:
    return value
