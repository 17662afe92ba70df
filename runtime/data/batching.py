"""Batching: stack the components of several elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.errors import IncompatibleShapesError
from runtime.core.spec import TensorSpec
from runtime.ops.base.convert import convert_to_tensor


def stacked_spec(spec: object, first: int | None) -> TensorSpec:
    """Return the spec of a stack of `size` tensors. Raises TypeError for datasets."""
    if not isinstance(spec, TensorSpec):
        raise TypeError(f"batch is for tensors, not for {spec}: make tensors of them by flat_map.")
    return spec.with_dims(None if spec.dims is None else (first, *spec.dims))


class Stack:
    """Stacks one component of elements of one shape."""

    def __init__(self, number: int, spec: TensorSpec) -> None:
        self._number = number
        self._dtype = spec.dtype.numpy_dtype
        self._scalars = spec.dims == ()

    def __call__(self, column: Sequence[Any]) -> Any:
        """Return the stack. Raises InvalidArgumentError for shapes that differ."""
        if self._scalars:
            return self._vector(column)
        first = np.shape(column[0])
        for place, each in enumerate(column):
            if np.shape(each) != first:
                raise IncompatibleShapesError.of(
                    f"Cannot batch tensors with different shapes in component {self._number}. "
                    f"First element had shape {list(first)} and element {place} had shape "
                    f"{list(np.shape(each))}. [Op:IteratorGetNext] Use `padded_batch`, or give "
                    "all elements one shape."
                )
        return np.stack(column) if first else self._vector(column)

    def _vector(self, column: Sequence[Any]) -> Any:
        if np.dtype(self._dtype).kind == "O":  # Else an array of a string becomes an element.
            column = [each[()] if isinstance(each, np.ndarray) else each for each in column]
        return np.array(column, self._dtype)


class PaddedStack:
    """Stacks one component of elements, padded to `shape` with `value`, by default zero or "".

    Dimensions that are None or -1, and all if `shape` is None, are those of the largest element.

    Raises: ValueError if the rank is unknown, or `shape` has another one.
    """

    def __init__(self, number: int, spec: TensorSpec, shape: Any, value: Any) -> None:
        self.dtype = spec.dtype
        known = spec.dims if shape is None else tuple(getattr(shape, "dims", shape))
        if known is None:
            raise ValueError(
                f"You must provide `padded_shapes`: the rank of component {number} is not known."
            )
        if spec.dims is not None and len(known) != len(spec.dims):
            raise ValueError(
                f"The padded shape {known} of component {number} needs the rank of its tensors, "
                f"{len(spec.dims)}."
            )
        self.dims = tuple(None if dim is None or dim < 0 else int(dim) for dim in known)
        empty = b"" if spec.dtype is dtypes.string else 0
        self._value = empty if value is None else np.asarray(convert_to_tensor(value, spec.dtype))
        self._number = number

    def __call__(self, column: Sequence[Any]) -> Any:
        """Return the stack. Raises InvalidArgumentError if a component is too large."""
        largest = [max(sizes) for sizes in zip(*map(np.shape, column), strict=True)]
        dims = [
            have if want is None else want for have, want in zip(largest, self.dims, strict=True)
        ]
        if any(have > want for have, want in zip(largest, dims, strict=True)):
            raise IncompatibleShapesError.of(
                "Attempted to pad to a smaller size than the input element: component "
                f"{self._number} has shape {largest}, and is padded to {dims}."
            )
        result: Any = np.full((len(column), *dims), self._value, self.dtype.numpy_dtype)
        for place, array in enumerate(column):
            own = tuple(slice(size) for size in np.shape(array))
            result[(place, *own, ...)] = array
        return result
