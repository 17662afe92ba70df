"""What a layer expects of its inputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import runtime as tf


class InputSpec:
    """Rank, shape and dtype that a layer expects of an input.

    Args:
      dtype: the dtype.
      shape: the shape, None for dimensions that do not matter.
      ndim, max_ndim, min_ndim: the rank, the largest and the smallest one.
      axes: sizes by axis.
      allow_last_axis_squeeze, name, optional: have no effect.

    >>> InputSpec(min_ndim=2, axes={-1: 3}).check("dense", tf.zeros([2, 4]))
    Traceback (most recent call last):
    ValueError: Input 0 of layer 'dense' is incompatible with the layer: expected axis -1 of input \
shape to have value 3, but received input with shape (2, 4)
    """

    def __init__(
        self,
        dtype: Any = None,
        shape: Any = None,
        ndim: int | None = None,
        max_ndim: int | None = None,
        min_ndim: int | None = None,
        axes: Mapping[int, int | None] | None = None,
        allow_last_axis_squeeze: bool = False,
        name: str | None = None,
        optional: bool = False,
    ) -> None:
        """Holds the expectations."""
        self.dtype = None if dtype is None else tf.as_dtype(dtype)
        self.shape = None if shape is None else tuple(shape)
        self.ndim = ndim if shape is None else len(tuple(shape))
        self.max_ndim = max_ndim
        self.min_ndim = min_ndim
        self.axes = dict(axes or {})

    def check(self, layer: str, value: Any, position: int = 0) -> None:
        """Compare an input with the expectations.

        Args:
          layer: the name of the layer.
          value: the input.
          position: its position among the inputs.

        Raises:
          ValueError: if it does not fit.
        """
        if not tf.is_tensor(value) or value.shape.rank is None:
            return
        dims = tuple(value.shape)
        problem = self._problem(dims, value.dtype)
        if problem:
            raise ValueError(
                f"Input {position} of layer '{layer}' is incompatible with the layer: {problem}"
            )

    def _problem(self, dims: tuple[int | None, ...], dtype: Any) -> str:
        rank = len(dims)
        for name, wanted, fits in (
            ("ndim", self.ndim, rank == self.ndim),
            ("max_ndim", self.max_ndim, rank <= (self.max_ndim or rank)),
            ("min_ndim", self.min_ndim, rank >= (self.min_ndim or 0)),
        ):
            if wanted is not None and not fits:
                return f"expected {name}={wanted}, found ndim={rank}. Full shape received: {dims}"
        for axis, size in self.axes.items():
            if size is not None and dims[axis] not in (size, None):
                return (
                    f"expected axis {axis} of input shape to have value {size}, but received input "
                    f"with shape {dims}"
                )
        if self.shape is not None and not tf.TensorShape(self.shape).is_compatible_with(dims):
            return f"expected shape={self.shape}, found shape={dims}"
        if self.dtype is not None and dtype != self.dtype:
            return f"expected dtype={self.dtype.name}, found dtype={dtype.name}"
        return ""
