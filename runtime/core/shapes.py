"""Shapes with unknown dimensions or unknown rank.

Inside the runtime a shape is a tuple of `int | None`, or None for unknown rank (`Dims`). Users hold
a `TensorShape`, and each of its `dims` is a `Dimension`. `numpy_index` is the index of a slice.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from types import EllipsisType
from typing import Any, TypeVar

Dims = tuple[int | None, ...] | None

MAX_RANK = 254
"""Maximum number of dimensions of a tensor, as in TensorFlow (`TensorShape::MaxDimensions`)."""


class Dimension:
    """The size of a dimension, possibly unknown.

    >>> Dimension(3) == 3, Dimension(None).is_compatible_with(7), Dimension(3).is_compatible_with(7)
    (True, True, False)
    >>> print(Dimension(3), Dimension(None))
    3 ?
    """

    def __init__(self, value: int | None) -> None:
        self.value = value

    def is_compatible_with(self, other: object) -> bool:
        """Return whether both, a `Dimension` or a size, can be the same size."""
        sizes = {self.value, other.value if isinstance(other, Dimension) else other}
        return len(sizes - {None}) <= 1

    def __eq__(self, other: object) -> Any:
        """Return whether the sizes are equal; None if one is unknown."""
        theirs = other.value if isinstance(other, Dimension) else other
        return None if self.value is None or theirs is None else self.value == theirs

    def __hash__(self) -> int:
        return hash(self.value)

    def __index__(self) -> int:
        """Return the size. Raises TypeError if it is unknown."""
        if self.value is None:
            raise TypeError("the size of the dimension is unknown")
        return self.value

    def __repr__(self) -> str:
        return f"Dimension({self.value})"

    def __str__(self) -> str:
        return "?" if self.value is None else str(self.value)


class TensorShape:
    """The shape of a tensor.

    Args:
      dims: a sequence of dimensions, None for an unknown one; an int; a shape; None: unknown rank.

    Raises:
      ValueError: for a negative dimension.
      TypeError: for a dimension that is not an int.

    >>> shape = TensorShape([2, None])
    >>> shape.rank, shape.is_fully_defined(), shape[0]
    (2, False, 2)
    >>> print(shape)
    (2, None)
    """

    __slots__ = ("_dims",)

    def __init__(self, dims: object) -> None:
        """Store the dimensions in plain form."""
        self._dims: Dims = as_dims(dims)

    @property
    def dims(self) -> list[Dimension] | None:
        """The dimensions as objects that support unknown sizes; None for unknown rank.

        >>> TensorShape([2, None]).dims[1].is_compatible_with(7)
        True
        """
        return None if self._dims is None else list(map(Dimension, self._dims))

    @property
    def rank(self) -> int | None:
        """The number of dimensions, or None."""
        return None if self._dims is None else len(self._dims)

    @property
    def ndims(self) -> int | None:
        """Alias of `rank`."""
        return self.rank

    def is_fully_defined(self) -> bool:
        """Return whether every dimension is known."""
        return self._dims is not None and None not in self._dims

    def as_list(self) -> list[int | None]:
        """Return the dimensions. Raises ValueError if the rank is unknown."""
        if self._dims is None:
            raise ValueError("as_list() is not defined on an unknown TensorShape.")
        return list(self._dims)

    def num_elements(self) -> int | None:
        """Return the product of the dimensions, or None if one is unknown."""
        return element_count(self._dims)

    def is_compatible_with(self, other: object) -> bool:
        """Return whether a tensor can have both shapes.

        Args:
          other: anything that a `TensorShape` can be made of.
        """
        return compatible(self._dims, as_dims(other))

    def is_subtype_of(self, other: TensorShape) -> bool:
        """Return whether every tensor of this shape also has shape `other`.

        Args:
          other: another shape.
        """
        return includes(other._dims, self._dims)

    def assert_is_compatible_with(self, other: object) -> None:
        """Raise ValueError if no tensor can have both shapes.

        Args:
          other: anything that a `TensorShape` can be made of.
        """
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {TensorShape(other)} are incompatible")

    def merge_with(self, other: object) -> TensorShape:
        """Return the known dimensions of both shapes. Raises ValueError if they are
        incompatible.

        Args:
          other: anything that a `TensorShape` can be made of.
        """
        other_dims = as_dims(other)
        if not compatible(self._dims, other_dims):
            raise ValueError(f"Shapes {self} and {TensorShape(other)} are not compatible")
        if self._dims is None or other_dims is None:
            return TensorShape(other_dims if self._dims is None else self._dims)
        return TensorShape(
            [b if a is None else a for a, b in zip(self._dims, other_dims, strict=True)]
        )

    def most_specific_compatible_shape(self, other: object) -> TensorShape:
        """Return the most specific shape that includes both shapes.

        Args:
          other: anything that a `TensorShape` can be made of.
        """
        return TensorShape(generalize(self._dims, as_dims(other)))

    def most_specific_common_supertype(self, others: Sequence[Any]) -> TensorShape | None:
        """Return the most specific shape that includes all shapes; None if one is not a
        TensorShape.

        Args:
          others: other shapes.
        """
        if not all(isinstance(other, TensorShape) for other in others):
            return None
        return functools.reduce(TensorShape.most_specific_compatible_shape, others, self)

    def concatenate(self, other: object) -> TensorShape:
        """Return the concatenation of the dimensions.

        Args:
          other: anything that a `TensorShape` can be made of.
        """
        other_dims = as_dims(other)
        if self._dims is None or other_dims is None:
            return TensorShape(None)
        return TensorShape(self._dims + other_dims)

    def _known(self, question: str) -> tuple[int | None, ...]:
        if self._dims is None:
            raise ValueError(f"Cannot {question} shape with unknown rank.")
        return self._dims

    def __len__(self) -> int:
        """Return the rank. Raises ValueError if it is unknown."""
        return len(self._known("take the length of"))

    def __bool__(self) -> bool:
        return self._dims is not None

    def __iter__(self) -> Iterator[int | None]:
        """Iterate over the dimensions. Raises ValueError if the rank is unknown."""
        return iter(self._known("iterate over a"))

    def __getitem__(self, key: int | slice) -> Any:
        if self._dims is not None:
            return TensorShape(self._dims[key]) if isinstance(key, slice) else self._dims[key]
        return TensorShape(_unknown_slice(key)) if isinstance(key, slice) else None

    def __add__(self, other: object) -> TensorShape:
        return self.concatenate(other)

    def __radd__(self, other: object) -> TensorShape:
        return TensorShape(other).concatenate(self)

    def __eq__(self, other: object) -> bool:
        try:
            return self._dims == as_dims(other)
        except (TypeError, ValueError):
            return False

    def __hash__(self) -> int:
        return hash(self._dims)

    def __str__(self) -> str:
        return format_dims(self._dims)

    def __repr__(self) -> str:
        return f"TensorShape({None if self._dims is None else list(self._dims)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return TensorShape, (self._dims,)


def shape_of(dims: Dims) -> TensorShape:
    """Return the shape of dimensions in plain form, which are not checked.

    >>> shape_of((2, None))
    TensorShape([2, None])
    """
    shape = TensorShape.__new__(TensorShape)
    shape._dims = dims
    return shape


def _unknown_slice(key: slice) -> Dims:
    """Return a slice of a shape of unknown rank; its length is known for nonnegative bounds."""
    start = 0 if key.start is None else key.start
    if key.stop is None or start < 0 or key.stop < 0 or key.step not in (None, 1):
        return None
    length: int = max(0, key.stop - start)
    return (None,) * length


def as_dims(value: Any) -> Dims:
    """Convert a shape to the plain form.

    Args:
      value: None, a `TensorShape`, an int, or a sequence of dimensions.

    Raises:
      TypeError: if `value` is not a shape.
      ValueError: for a negative dimension.
    """
    if value is None:
        return None
    if isinstance(value, TensorShape):
        return value._dims
    if hasattr(value, "__index__") and not hasattr(value, "shape"):
        return (_as_dim(value),)
    return tuple(_as_dim(dim) for dim in value)


def _as_dim(value: object) -> int | None:
    if value is None:
        return None
    if isinstance(value, Dimension):
        return value.value
    if not hasattr(value, "__index__"):
        raise TypeError(
            "Dimension value must be integer or None or have an __index__ method, got value "
            f"'{value!r}' with type '{type(value)}'"
        )
    dim = value.__index__()
    if dim < 0:
        raise ValueError(f"Dimension {dim} must be >= 0")
    return int(dim)


def format_dims(dims: Dims) -> str:
    """Return a shape as messages and `str` of a tensor show it."""
    return "<unknown>" if dims is None else str(tuple(dims))


def element_count(dims: Dims) -> int | None:
    """Return the number of elements, or None if it is unknown."""
    if dims is None:
        return None
    count = 1
    for dim in dims:
        if dim is None:
            return None
        count *= dim
    return count


def compatible(a: Dims, b: Dims) -> bool:
    """Return whether a tensor can have both shapes."""
    if a is None or b is None:
        return True
    return len(a) == len(b) and all(
        x is None or y is None or x == y for x, y in zip(a, b, strict=True)
    )


def generalize(a: Dims, b: Dims) -> Dims:
    """Return the most specific shape that includes both shapes.

    >>> generalize((2, 3), (2, 4))
    (2, None)
    """
    if a is None or b is None or len(a) != len(b):
        return None
    return tuple(x if x == y else None for x, y in zip(a, b, strict=True))


def includes(general: Dims, special: Dims) -> bool:
    """Return whether every tensor of shape `special` also has shape `general`."""
    return generalize(general, special) == general


def broadcast(a: Dims, b: Dims) -> Dims:
    """Return the broadcast shape of two shapes.

    Raises: ValueError if they do not broadcast.

    >>> broadcast((3, 1), (None,))
    (3, None)
    """
    if a is None or b is None:
        return None
    rank = max(len(a), len(b))
    padded_a = (1,) * (rank - len(a)) + a
    padded_b = (1,) * (rank - len(b)) + b
    return tuple(_broadcast_dim(x, y) for x, y in zip(padded_a, padded_b, strict=True))


def _broadcast_dim(x: int | None, y: int | None) -> int | None:
    if x == 1:
        return y
    if y == 1 or x == y:
        return x
    if x is None or y is None:
        return y if x is None else x
    raise ValueError(f"Dimensions must be equal, but are {x} and {y}")


def known(shape: Sequence[int | None]) -> tuple[int, ...]:
    """Return a shape that the caller knows to be fully defined."""
    dims = tuple(dim for dim in shape if dim is not None)
    assert len(dims) == len(shape)
    return dims


def bracketed(dims: Dims) -> str:
    """Format a shape as error messages do.

    >>> bracketed((2, None)), bracketed(None)
    ('[2,?]', '<unknown>')
    """
    if dims is None:
        return "<unknown>"
    return f"[{','.join('?' if dim is None else str(dim) for dim in dims)}]"


MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")


Bound = TypeVar("Bound")


def numpy_index(
    begin: Sequence[Bound],
    end: Sequence[Bound],
    strides: Sequence[Bound],
    masks: Mapping[str, int],
) -> tuple[Bound | slice | EllipsisType | None, ...]:
    """Return the index that a NumPy array takes for the operands of a slice.

    >>> numpy_index([1, 0], [2, 9], [1, 2], dict.fromkeys(MASKS, 0))
    (slice(1, 2, 1), slice(0, 9, 2))
    """
    index: list[Bound | slice | EllipsisType | None] = []
    for i in range(len(begin)):
        bit = 1 << i
        if masks["ellipsis_mask"] & bit:
            index.append(Ellipsis)
        elif masks["new_axis_mask"] & bit:
            index.append(None)
        elif masks["shrink_axis_mask"] & bit:
            index.append(begin[i])
        else:
            start = None if masks["begin_mask"] & bit else begin[i]
            stop = None if masks["end_mask"] & bit else end[i]
            index.append(slice(start, stop, strides[i]))
    return tuple(index)
