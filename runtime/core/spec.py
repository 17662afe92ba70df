"""The static type of a tensor: dtype and shape."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array
from runtime.core.dtypes import DType
from runtime.core.shapes import Dims, TensorShape, as_dims, generalize, includes, shape_of


class Mixed(enum.Enum):
    """Whether a tensor of floats represents a Python number, if it is an int on some ways to it.

    Its value is right, but Python's text and type for it are those of an int or of a float.
    """

    NUMBER = True
    PERHAPS_NUMBER = None

    def __bool__(self) -> bool:
        """Return whether it represents a Python number on all ways."""
        return self is Mixed.NUMBER


Weak = bool | None | Mixed
"""Whether a tensor represents a Python number; None: on some of the paths to it, as after
`total = 0.0` and `if x > 0: total = x`.
"""


def joined_weakness(a: Weak, b: Weak, mixed: bool) -> Weak:
    """Return the weakness of a tensor that is one of two; `mixed`: an int and a float.

    >>> print(joined_weakness(True, False, False), joined_weakness(True, True, True))
    None Mixed.NUMBER
    """
    mixed = mixed or isinstance(a, Mixed) or isinstance(b, Mixed)
    if a and b:
        return Mixed.NUMBER if mixed else True
    if a is False and b is False:
        return False
    return Mixed.PERHAPS_NUMBER if mixed else None


class TensorSpec:
    """A dtype and a shape, for signatures.

    Args:
      shape: anything that converts to a `TensorShape`; None: unknown rank.
      dtype: anything that converts to a `DType`.
      name: the name of the argument, or None.

    >>> TensorSpec([None, 2], dtypes.float32)
    TensorSpec(shape=(None, 2), dtype=tf.float32, name=None)
    """

    __slots__ = ("_hash", "dims", "dtype", "name")

    def __init__(
        self, shape: object, dtype: object = dtypes.float32, name: str | None = None
    ) -> None:
        self.dims: Dims = as_dims(shape)
        self.dtype: DType = dtypes.as_dtype(dtype)
        self.name = name
        self._hash = hash((self.dims, self.dtype))

    @property
    def shape(self) -> TensorShape:
        """The shape."""
        return shape_of(self.dims)

    def with_dims(self, dims: Dims) -> TensorSpec:
        """Return the same dtype with another shape.

        Args:
          dims: a tuple with None for each unknown dimension; None: unknown rank.
        """
        return spec_of(self.dtype, dims)

    def with_dtype(self, dtype: DType) -> TensorSpec:
        """Return the same shape with another dtype.

        Args:
          dtype: the dtype.
        """
        return spec_of(dtype, self.dims)

    def includes(self, other: TensorSpec) -> bool:
        """Return whether every tensor of the other spec also has this spec.

        Args:
          other: a spec.
        """
        return self.dtype is other.dtype and includes(self.dims, other.dims)

    def is_compatible_with(self, spec_or_tensor: Any) -> bool:
        """Return whether a tensor or spec is compatible with this spec; False for other values.

        Args:
          spec_or_tensor: a tensor or a spec. Unknown dimensions are compatible with all lengths.
        """
        other = spec_or_tensor
        if not hasattr(other, "spec") and not isinstance(other, TensorSpec):
            return False
        return self.dtype is other.dtype and self.shape.is_compatible_with(other.shape)

    def is_subtype_of(self, other: Any) -> bool:
        """Return whether every tensor of this spec has the other spec; a name must be equal too.

        Args:
          other: a type.

        >>> TensorSpec([2]).is_subtype_of(TensorSpec([None]))
        True
        """
        known = isinstance(other, TensorSpec) and self.name in (None, other.name)
        return known and other.includes(self)

    def most_specific_common_supertype(self, others: Sequence[Any]) -> TensorSpec | None:
        """Return the most specific spec that includes all specs; None if dtypes or names differ.

        Args:
          others: types.

        >>> TensorSpec([2, 3]).most_specific_common_supertype([TensorSpec([2, 4])])
        TensorSpec(shape=(2, None), dtype=tf.float32, name=None)
        """
        dims = self.dims
        for other in others:
            if not isinstance(other, TensorSpec) or other.dtype is not self.dtype:
                return None
            if other.name != self.name:
                return None
            dims = generalize(dims, other.dims)
        return TensorSpec(dims, self.dtype, self.name)

    def __eq__(self, other: object) -> bool:
        """Compare dtype and shape; names do not matter."""
        if self is other:
            return True
        if not isinstance(other, TensorSpec):
            return NotImplemented
        return self.dtype is other.dtype and self.dims == other.dims

    def __hash__(self) -> int:
        return self._hash

    def __format__(self, _: str) -> str:
        """Return the short form `float32[2,?]` of graphs and messages; `print` shows `repr`."""
        if self.dims is None:
            return f"{self.dtype.name}[...]"
        inner = ",".join("?" if dim is None else str(dim) for dim in self.dims)
        return f"{self.dtype.name}[{inner}]"

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self.shape}, dtype={self.dtype!r}, name={self.name!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return TensorSpec, (self.dims, self.dtype, self.name)

    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> TensorSpec:
        """Return the spec of a tensor.

        Args:
          tensor: an object with `shape` and `dtype`.
          name: the name of the spec, or None.

        Raises: ValueError for another object.

        >>> import runtime as tf
        >>> TensorSpec.from_tensor(tf.constant([1, 2]), "x")
        TensorSpec(shape=(2,), dtype=tf.int32, name='x')
        """
        if not hasattr(tensor, "shape") or not hasattr(tensor, "dtype"):
            raise ValueError(f"`tensor` should be a tf.Tensor, but it is {tensor!r}.")
        return cls(tensor.shape, tensor.dtype, name)


_LIMIT = 4096
_specs: dict[tuple[DType, Dims], TensorSpec] = {}
_array_specs: dict[tuple[Any, tuple[int, ...]], TensorSpec] = {}


def spec_of(dtype: DType, dims: Dims) -> TensorSpec:
    """Return the spec of a dtype and a shape, from a cache."""
    key = (dtype, dims)
    spec = _specs.get(key)
    if spec is None:
        if len(_specs) >= _LIMIT:
            _specs.clear()
        spec = _specs[key] = TensorSpec(dims, dtype)
    return spec


def spec_of_array(array: Array) -> TensorSpec:
    """Return the spec of a NumPy array or scalar."""
    key = (array.dtype, array.shape)
    spec = _array_specs.get(key)
    if spec is None:
        if len(_array_specs) >= _LIMIT:
            _array_specs.clear()
        spec = _array_specs[key] = spec_of(dtypes.from_numpy(np.dtype(array.dtype)), array.shape)
    return spec


def without_repetition(array: Array) -> Any:
    """Return the only element of an array that repeats one element, else the array.

    `np.broadcast_to` creates such arrays: any number of elements in the memory of one.

    >>> import numpy as np
    >>> without_repetition(np.broadcast_to(np.int32(7), (1 << 20, 1 << 20))).shape
    ()
    """
    return array if any(array.strides) or not array.size else array[(0,) * array.ndim]
