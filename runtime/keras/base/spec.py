"""What a layer expects of its inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import runtime as tf


@dataclass(frozen=True)
class InputSpec:
    """Rank and sizes that a layer expects of an input.

    Args:
      ndim: the rank; None: any.
      min_ndim: the smallest rank.
      axes: sizes by axis.

    >>> InputSpec(min_ndim=2, axes={-1: 3}).check("dense", tf.zeros([2, 4]))
    Traceback (most recent call last):
    ValueError: Input 0 of layer 'dense' is incompatible with the layer: expected axis -1 of input \
shape to have value 3, but received input with shape (2, 4)
    """

    ndim: int | None = None
    min_ndim: int | None = None
    axes: Mapping[int, int] = field(default_factory=dict)

    def check(self, layer: str, value: Any) -> None:
        """Raise ValueError, with the name of the layer, if an input does not fit."""
        if not tf.is_tensor(value) or value.shape.rank is None:
            return
        dims = tuple(value.shape)
        rank = len(dims)
        text = f"Input 0 of layer '{layer}' is incompatible with the layer: expected"
        for name, wanted, fits in (
            ("ndim", self.ndim, rank == self.ndim),
            ("min_ndim", self.min_ndim, rank >= (self.min_ndim or 0)),
        ):
            if wanted is not None and not fits:
                raise ValueError(
                    f"{text} {name}={wanted}, found ndim={rank}. Full shape received: {dims}"
                )
        for axis, size in self.axes.items():
            if dims[axis] not in (size, None):
                raise ValueError(
                    f"{text} axis {axis} of input shape to have value {size}, but received input "
                    f"with shape {dims}"
                )
