"""The base class of datasets, and iteration over their elements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

import numpy as np

from runtime.control_flow.iterables import Iterated, Stream
from runtime.core import dtypes, nest
from runtime.core.dtypes import DType
from runtime.core.errors import OperatorNotAllowedInGraphError, OutOfRangeError, StagingError
from runtime.core.handlers import refuse_handled_by_name
from runtime.core.tensor import EagerTensor, Tensor
from runtime.core.thread import STATE
from runtime.data import ops
from runtime.data.elements import flat, packer, tensor_spec, value_of
from runtime.data.pipelines import INFINITE, UNKNOWN, Pipeline
from runtime.state.object_graph import SavedState

INFINITE_CARDINALITY = INFINITE
UNKNOWN_CARDINALITY = UNKNOWN

MOST_RECORDED = 1_000
"""So often `next` of one iterator may be recorded."""


class Elements(Iterated):
    """The elements that a tensor represents, and their spec."""

    _type_spec: Any
    """The spec of the dataset as part of an element of another one."""

    def __init__(self, variant_tensor: Tensor, element_spec: object) -> None:
        self._variant = variant_tensor
        self._spec = element_spec

    @classmethod
    def _made(cls, variant_tensor: Tensor, element_spec: object) -> Self:
        """Make a `Dataset`: the constructors of classes derived from it take other arguments."""
        raise NotImplementedError

    @property
    def element_spec(self) -> Any:
        """The spec of the elements, in their structure.

        >>> Dataset.range(3).element_spec
        TensorSpec(shape=(), dtype=tf.int64, name=None)
        """
        return self._spec

    @property
    def variant_tensor(self) -> Tensor:
        """The tensor that represents the dataset."""
        return self._variant

    def cardinality(self, name: str | None = None) -> Tensor:
        """Return the number of elements; -1: infinite, -2: unknown before the end.

        >>> int(Dataset.range(10).batch(3).cardinality())
        4
        """
        return ops.CARDINALITY(self._variant)

    def __len__(self) -> int:
        """Return the number of elements. Raises TypeError if it is infinite or unknown."""
        if STATE.graph is not None:
            raise TypeError(
                "`tf.data.Dataset` only supports `len` in eager mode. Use `cardinality()` instead."
            )
        count = self._pipeline.count
        if count == INFINITE:
            raise TypeError("The dataset is infinite.")
        if count == UNKNOWN:
            raise TypeError("The dataset length is unknown.")
        return count

    def __bool__(self) -> bool:
        """Return True, also without elements."""
        return True

    def __repr__(self) -> str:
        return f"<Dataset element_spec={self._spec!r}>"

    @property
    def _pipeline(self) -> Pipeline:
        assert isinstance(self._variant, EagerTensor)
        return self._variant.array  # type: ignore[no-any-return]

    def __iter__(self) -> OwnedIterator:
        """Iterate from the first element. Raises during tracing in code that is not converted."""
        return OwnedIterator(self)

    def staged_items(self) -> DatasetItems:
        """Return the iterable of a staged `for`."""
        return DatasetItems(self)

    def as_numpy_iterator(self) -> Iterator[Any]:
        """Iterate over the elements as NumPy arrays.

        Returns: An iterator.

        >>> list(Dataset.range(3).as_numpy_iterator())
        [np.int64(0), np.int64(1), np.int64(2)]
        """
        return (nest.map_structure(lambda leaf: leaf.numpy(), element) for element in self)


class DatasetItems(Stream):
    """The elements of a dataset, for staged loops."""

    def __init__(self, dataset: Elements) -> None:
        self._dataset = dataset

    def begin(self) -> IteratorItems:
        """Return the elements of one loop."""
        return IteratorItems(ops.ITERATOR(self._dataset.variant_tensor), self._dataset.element_spec)


def _next(iterator: object, spec: object) -> Any:
    specs = tuple(map(tensor_spec, flat(spec)))
    return value_of(spec, ops.NEXT.outputs(iterator, specs=specs))


class OwnedIterator(SavedState, Iterated):
    """An iterator over a dataset; `iter(dataset)` creates it.

    Args:
      dataset: the dataset.

    >>> numbers = iter(Dataset.range(3))
    >>> int(next(numbers)), int(numbers.get_next())
    (0, 1)
    """

    state_suffix = ".ATTRIBUTES/ITERATOR_STATE"

    def __init__(self, dataset: Elements) -> None:
        self._spec = dataset.element_spec
        self._cursor = ops.ITERATOR(dataset.variant_tensor)
        self._specs = tuple(map(tensor_spec, flat(self._spec)))
        self._pack = packer(self._spec)
        self._recorded = 0
        self._plain = all(each.dtype is not dtypes.variant for each in self._specs)

    @property
    def element_spec(self) -> Any:
        """The spec of the elements."""
        return self._spec

    def saved_state(self) -> Any:
        """Return, as an array, the state from which `restore` continues in another process."""
        assert isinstance(self._cursor, EagerTensor)
        return self._cursor.array.position()

    def check_state(self, key: str, dtype: DType, dims: tuple[int, ...]) -> None:
        """Raise ValueError if an array of a checkpoint is not the position of an iterator."""
        if dtype is not dtypes.uint64 or len(dims) != 1:
            raise ValueError(f"{key} is not a position of an iterator, but {dtype.name}{dims}")

    def restore(self, array: object) -> None:
        """Go to a position that `saved_state` returned. Raises ValueError if there is none."""
        assert isinstance(self._cursor, EagerTensor)
        self._cursor.array.restore(array)

    def staged_items(self) -> IteratorItems:
        """Return the iterable of a staged `for`: the remaining elements."""
        return IteratorItems(self._cursor, self._spec)

    def get_next(self) -> Any:
        """Return the next element. Raises OutOfRangeError at the end."""
        refuse_handled_by_name(OutOfRangeError.of("End of sequence"), "Write a `for`.")
        return _next(self._cursor, self._spec)

    def __iter__(self) -> OwnedIterator:
        return self

    def _recorded_next(self) -> Any:
        """Record the next element; refuses Python iteration, which would never end."""
        self._recorded += 1
        if self._recorded > MOST_RECORDED:
            raise StagingError(
                f"Python takes more than {MOST_RECORDED} elements of a dataset while a graph is "
                "recorded, where only the running graph knows how many there are.",
                public=OperatorNotAllowedInGraphError,
                remedy="Write the `for` in code that is converted.",
            )
        return self.get_next()

    def __next__(self) -> Any:
        """Return the next element. Raises StopIteration at the end; OutOfRangeError in a graph."""
        if STATE.graph is not None:
            return self._recorded_next()
        assert isinstance(self._cursor, EagerTensor)
        element = self._cursor.array.take()
        if element is None:
            raise StopIteration
        if self._plain:
            return self._pack(map(EagerTensor, element))
        pairs = zip(element, self._specs, strict=True)
        boxed = [EagerTensor(v, s if s.dtype is dtypes.variant else None) for v, s in pairs]
        return value_of(self._spec, boxed)


class IteratorItems(Stream):
    """The remaining elements of an iterator, for staged loops."""

    def __init__(self, cursor: Tensor, spec: object) -> None:
        self._cursor = cursor
        self._spec = spec

    def more(self, index: object) -> Tensor:
        """Return whether there is another element."""
        return ops.MORE(self._cursor)

    def item(self, index: object) -> Any:
        """Return the next element."""
        return _next(self._cursor, self._spec)


def require_elements(what: str, value: object) -> None:
    """Raise TypeError if a value is not a dataset."""
    if not isinstance(value, Elements):
        raise TypeError(f"{what} takes and gives datasets, not {value!r}")


def require_positive(what: str, value: object) -> int | None:
    """Return an integer, None for a tensor. Raises ValueError for an integer below 1."""
    if not isinstance(value, (int, np.integer)):
        return None
    if value < 1:
        raise ValueError(f"`{what}` must be greater than zero, but it is {value}.")
    return int(value)
