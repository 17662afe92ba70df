"""The rows of a structure of tensors, for loops over them."""

from __future__ import annotations

from typing import Any

from runtime.core import dtypes, nest
from runtime.core.shapes import Dims
from runtime.core.tensor import Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.ops.array.dimensions import shape
from runtime.ops.base.convert import constant_of, convert_to_tensor
from runtime.ops.effects.output import Assert
from runtime.ops.items.indexing import getitem
from runtime.ops.math.comparison import equal
from runtime.state.tensor_array import TensorArray


class Rows:
    """The rows of all tensors of a structure.

    Args:
      elems: a tensor of shape [n, ...], or a structure of such tensors with equal n.
      repeats: whether a first dimension of 1 broadcasts to n.

    Raises:
      ValueError: if there is no tensor, a tensor is a scalar, or known first dimensions differ.
      InvalidArgumentError: at run time, if first dimensions differ.
    """

    def __init__(self, elems: object, repeats: bool = False) -> None:
        """Convert the elements."""
        tensors = [convert_to_tensor(elem) for elem in nest.flatten(elems)]
        if not tensors:
            raise ValueError(
                "elems must be a Tensor or (possibly nested) sequence of Tensors. Got "
                f"{elems!r}, which does not contain any Tensors."
            )
        if any(tensor.shape.rank == 0 for tensor in tensors):
            raise ValueError("Elements in elems must be 1+ dimensional Tensors, not scalars")
        self._like = elems
        self._tensors = tensors
        self._single = [repeats and _first(tensor.spec.dims) == 1 for tensor in tensors]
        self.length = self._common_length()

    def _common_length(self) -> TensorLike:
        whole = [
            tensor for tensor, single in zip(self._tensors, self._single, strict=True) if not single
        ]
        known = [first for tensor in whole if (first := _first(tensor.spec.dims)) is not None]
        for other in known[1:]:
            if other != known[0]:
                raise ValueError(f"Dimensions {known[0]} and {other} are not compatible")
        if not whole:
            return 1
        counts = [getitem(shape(t), 0) for t in whole if _first(t.spec.dims) is None]
        length: TensorLike = known[0] if known else counts[0]
        for count in counts if known else counts[1:]:
            Assert(equal(count, length), ["elems differ in their first dimension:", length, count])
        return length

    def row(self, index: TensorLike) -> Any:
        """Return the structure with row number `index` of each tensor."""
        rows = [
            getitem(tensor, 0 if single else index)
            for tensor, single in zip(self._tensors, self._single, strict=True)
        ]
        return nest.pack_sequence_as(self._like, rows)

    @property
    def static_length(self) -> int | None:
        """The number of rows, if it is known."""
        return self.length if isinstance(self.length, int) else None


def _first(dims: Dims) -> int | None:
    return dims[0] if dims else None


def number(value: int) -> Tensor:
    """Return an int32 scalar."""
    return constant_of(dtypes.int32.as_numpy_dtype(value))


def arrays_for(dtype_of: list[Any], length: TensorLike, infer_shape: bool) -> list[TensorArray]:
    """Return a TensorArray for each output.

    Args:
      dtype_of: dtype or `TensorSpec` of the elements of each.
      length: the number of elements.
      infer_shape: whether all elements of an array have one shape.
    """
    return [
        TensorArray(
            getattr(kind, "dtype", kind),
            size=length,
            infer_shape=infer_shape,
            element_shape=getattr(kind, "shape", None),
        )
        for kind in dtype_of
    ]


def written(arrays: list[TensorArray], index: TensorLike, values: list[Any]) -> list[TensorArray]:
    """Return the arrays after writing one element to each."""
    return [array.write(index, value) for array, value in zip(arrays, values, strict=True)]


def stacked(arrays: list[TensorArray], length: int | None) -> list[Tensor]:
    """Stack the elements of each array, with a static number of rows if it is known."""
    tensors = [array.stack() for array in arrays]
    if STATE.graph is not None and length is not None:
        for tensor in tensors:
            rest = tensor.spec.dims
            if rest is not None:
                tensor.set_shape([length, *rest[1:]])  # type: ignore[attr-defined]
    return tensors
