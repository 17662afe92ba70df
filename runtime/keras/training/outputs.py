"""Structures of outputs, beside the labels, losses and metrics given for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import runtime as tf


def output_names(y_pred: Any, names: Sequence[str] | None) -> list[str]:
    """Return the names of outputs, in the order of `flat_outputs`.

    Args:
      y_pred: tensor, or list or dict of tensors.
      names: names that the model gives to its outputs, if it does.

    >>> output_names({"b": tf.zeros([1]), "a": tf.zeros([1])}, None)
    ['a', 'b']
    """
    if isinstance(y_pred, Mapping):
        return sorted(y_pred)
    count = len(flat_outputs(y_pred))
    if names is not None and len(names) == count and len(set(names)) == count:
        return list(names)
    return ["output"] if count == 1 else [f"output_{i}" for i in range(count)]


def flat_outputs(y_pred: Any) -> list[Any]:
    """Return the tensors of a structure of outputs, those of a dict in order of its keys."""
    if isinstance(y_pred, Mapping):
        return [y_pred[name] for name in sorted(y_pred)]
    return list(y_pred) if isinstance(y_pred, (list, tuple)) else [y_pred]


def for_outputs(given: Any, names: list[str], argument: str) -> list[Any]:
    """Return one value for each output; None where there is none.

    Args:
      given: a value for all outputs, a list of values, or a dict of them by name of the output.
      names: names of the outputs.
      argument: what messages call `given`.

    Raises: ValueError for a name that no output has, or another number of values.

    >>> for_outputs({"b": "mse"}, ["a", "b"], "loss")
    [None, 'mse']
    """
    if isinstance(given, Mapping):
        unknown = [name for name in given if name not in names]
        if unknown:
            raise ValueError(
                f"`{argument}` has the key {unknown[0]!r}, but the outputs are named {names}."
            )
        return [given.get(name) for name in names]
    if isinstance(given, (list, tuple)):
        if len(given) != len(names):
            raise ValueError(
                f"`{argument}` has {len(given)} values for {len(names)} outputs: {names}."
            )
        return list(given)
    return [given] * len(names)


def labels_for(y: Any, names: list[str], argument: str = "y") -> list[Any]:
    """Return the labels, or the weights, of each output; one tensor counts for all outputs."""
    if len(names) == 1 and isinstance(y, (list, tuple)) and len(y) != 1:
        return [tf.convert_to_tensor(y)]
    return for_outputs(y, names, argument)
