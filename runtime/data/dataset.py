"""`Dataset`: a sequence of elements; where they come from."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np

from autograph.staging import register
from runtime.core import dtypes, nest
from runtime.core.aliases import DTypeLike
from runtime.core.errors import InvalidArgumentError, OperatorNotAllowedInGraphError, StagingError
from runtime.core.spec import spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.data import ops, pipelines, storage
from runtime.data.drawing import Draws
from runtime.data.elements import as_element, common_spec, flat, specs_of, tensor_of
from runtime.data.functions import Mapped
from runtime.data.generators import Generated, signature_of
from runtime.data.iteration import OwnedIterator, require_elements
from runtime.data.pipelines import INFINITE, Pipeline
from runtime.data.transformations import Transformable
from runtime.io import file_system
from runtime.ops.base.arguments import whole_number
from runtime.ops.base.convert import convert_to_tensor
from runtime.staging import LIBRARY
from runtime.state.variable import Variable

_LEFT_OUT = {
    "apply": "call the function with the dataset",
    "bucket_by_sequence_length": "use `padded_batch`",
    "get_single_element": "use `next(iter(dataset))`",
    "group_by_window": "use `filter` for each group, and `sample_from_datasets`",
    "ignore_errors": "use `filter` with a check of the element",
    "options": "leave it out: the dataset runs in order, on one machine",
    "ragged_batch": "use `padded_batch`",
    "rebatch": "use `unbatch` and `batch`",
    "scan": "use a `for` over the dataset in a `function`",
    "shard": "use `enumerate` and `filter`",
    "take_while": "use a `for` with `break` over the dataset in a `function`",
    "unique": "use `from_tensor_slices` of `tf.unique`",
    "with_options": "leave it out: the dataset runs in order, on one machine",
}
"""Methods that few programs need, each with what to do instead."""


class DatasetSpec:
    """The type of a dataset that is part of an element.

    Args:
      element_spec: the spec of its elements.
      dataset_shape: only `()`.

    >>> import runtime as tf
    >>> DatasetSpec(tf.TensorSpec([], tf.int32)).element_spec
    TensorSpec(shape=(), dtype=tf.int32, name=None)
    """

    def __init__(self, element_spec: object, dataset_shape: object = ()) -> None:
        self.element_spec = element_spec

    def of(self, variant: Tensor) -> Dataset:
        """Return the dataset that a tensor represents.

        Args:
          variant: the tensor, a scalar of dtype variant.
        """
        return Dataset(variant, self.element_spec)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DatasetSpec) and self.element_spec == other.element_spec

    def __hash__(self) -> int:
        return hash(tuple(flat(self.element_spec)))

    def __repr__(self) -> str:
        return f"DatasetSpec({self.element_spec!r}, TensorShape([]))"


class Dataset(Mapped, Transformable):
    """A sequence of elements: tensors, or tuples and dicts of tensors.

    A dataset computes its elements when a loop iterates over it, anew for each loop. In a
    `function` a `for` over it is a loop of the graph. The argument `name` of methods has no effect.

    Args:
      variant_tensor: the tensor that represents the dataset.
      element_spec: the spec of the elements.

    >>> import runtime as tf
    >>> numbers = tf.data.Dataset.range(5).map(lambda x: x * x)
    >>> [int(x) for x in numbers]
    [0, 1, 4, 9, 16]
    """

    def __getattr__(self, name: str) -> Any:
        """Raise AttributeError; for a method that is left out it says what to do instead."""
        message = f"'Dataset' object has no attribute {name!r}"
        if name in _LEFT_OUT:
            message += f", which few programs need: {_LEFT_OUT[name]}."
        raise AttributeError(message, name=name, obj=self)

    @staticmethod
    def from_tensor_slices(tensors: object, name: str | None = None) -> Dataset:
        """Return a dataset of the rows of tensors.

        Args:
          tensors: a tensor, or a tuple or dict of tensors with equal first dimensions.

        Raises:
          TypeError: for a dataset.
          ValueError: for a scalar, or first dimensions that differ.

        >>> pairs = Dataset.from_tensor_slices(([1, 2], ["a", "b"]))
        >>> [(int(x), y.numpy()) for x, y in pairs]
        [(1, b'a'), (2, b'b')]
        """
        element = as_element(tensors, _constant)
        parts = nest.flatten(element)
        lengths = [_rows(part) for part in parts]
        known = {length for length in lengths if length is not None}
        if len(known) > 1:
            raise ValueError(
                f"Dimensions {' and '.join(map(str, sorted(known)))} are not compatible: the "
                "tensors have different numbers of rows."
            )
        spec = nest.map_structure(
            lambda part: part.spec.with_dims(part.spec.dims and part.spec.dims[1:]), element
        )
        return Dataset(ops.SLICES(*parts), spec)

    @staticmethod
    def from_tensors(tensors: object, name: str | None = None) -> Dataset:
        """Return a dataset of one element.

        Args:
          tensors: the element.

        >>> [x.numpy().tolist() for x in Dataset.from_tensors([1, 2])]
        [[1, 2]]
        """
        element = as_element(tensors, _constant)
        parts = list(map(tensor_of, nest.flatten(element)))
        return Dataset(ops.SINGLE(*parts), specs_of(element))

    @staticmethod
    def range(
        *args: TensorLike, output_type: object = dtypes.int64, name: str | None = None
    ) -> Dataset:
        """Return a dataset of the integers of Python's `range`.

        Args:
          args: stop; start and stop; or start, stop and step.
          output_type: the dtype.

        Raises: ValueError unless there are one to three numbers.

        >>> [int(x) for x in Dataset.range(1, 7, 2)]
        [1, 3, 5]
        """
        if not 1 <= len(args) <= 3:
            raise ValueError(f"Dataset.range takes one to three numbers, not {len(args)}")
        bounds = {1: (0, *args, 1), 2: (*args, 1)}.get(len(args), args)
        names = ("start", "stop", "step")
        numbers = [whole_number(*bound) for bound in zip(names, bounds, strict=True)]
        dtype = dtypes.as_dtype(output_type)
        return Dataset(ops.RANGE(*numbers, dtype=dtype), spec_of(dtype, ()))

    @staticmethod
    def from_generator(
        generator: Callable[..., Any],
        output_types: object = None,
        output_shapes: object = None,
        args: Sequence[TensorLike] | None = None,
        output_signature: object = None,
        name: str | None = None,
    ) -> Dataset:
        """Return a dataset of the values of a Python generator, called anew for each loop.

        Args:
          generator: called with `args` as arrays; returns an iterable.
          output_types, output_shapes: dtypes and shapes of the elements, in their structure.
          args: tensors.
          output_signature: `TensorSpec`s in the structure of the elements, in place of both.

        Raises: TypeError if `generator` cannot be called; where a loop comes to an element that
          does not fit, TypeError or InvalidArgumentError.

        >>> def count(stop):
        ...     for i in range(stop):
        ...         yield i, [i] * i
        >>> import runtime as tf
        >>> spec = (tf.TensorSpec([], tf.int32), tf.TensorSpec([None], tf.int32))
        >>> ragged = Dataset.from_generator(count, args=[3], output_signature=spec)
        >>> [(int(i), row.numpy().tolist()) for i, row in ragged]
        [(0, []), (1, [1]), (2, [2, 2])]
        """
        if not callable(generator):
            raise TypeError(f"`generator` must be callable, but it is {generator!r}.")
        spec = signature_of(output_types, output_shapes, output_signature)
        make = Generated(generator, spec)
        tensors = [convert_to_tensor(value) for value in args or ()]
        return Dataset(ops.PLAIN(*tensors, make=make), spec)

    @staticmethod
    def zip(*args: object, datasets: object = None, name: str | None = None) -> Dataset:
        """Combine elements of several datasets, up to the end of the shortest.

        Args:
          args: datasets, or one structure of them.
          datasets: the structure, by name.

        Returns: A dataset of elements in the structure of the datasets.
        Raises: TypeError if a part of the structure is no dataset.

        >>> pairs = Dataset.zip(Dataset.range(3), Dataset.range(5, 9))
        >>> [(int(a), int(b)) for a, b in pairs]
        [(0, 5), (1, 6), (2, 7)]
        """
        structure = datasets if datasets is not None else args[0] if len(args) == 1 else args
        parts = nest.flatten(structure)
        for part in parts:
            require_elements("zip", part)
        spec = _map_datasets(lambda part: part.element_spec, structure)
        return Dataset(ops.ZIP(*(part.variant_tensor for part in parts)), spec)

    @staticmethod
    def sample_from_datasets(
        datasets: Sequence[Dataset],
        weights: object = None,
        seed: int | None = None,
        stop_on_empty_dataset: bool = False,
        rerandomize_each_iteration: bool | None = None,
    ) -> Dataset:
        """Draw elements of several datasets at random.

        Args:
          datasets: datasets with elements of one spec.
          weights: the probability of each; None: equal.
          seed: the seed of the draws.
          stop_on_empty_dataset: whether it ends with the first dataset that ends.
          rerandomize_each_iteration: whether each loop draws anew; None: unless there is a seed.

        Returns: A dataset of the elements that are drawn.

        Raises:
          TypeError: if one is no dataset.
          ValueError: if there are no datasets.

        >>> ones = [Dataset.from_tensors(i).repeat(100) for i in (0, 1)]
        >>> mixed = Dataset.sample_from_datasets(ones, weights=[0.0, 1.0])
        >>> {int(x) for x in mixed.take(20)}
        {1}
        """
        chances = None if weights is None else np.asarray(convert_to_tensor(weights)).tolist()
        anew = seed is None if rerandomize_each_iteration is None else rerandomize_each_iteration
        draw = Draws(seed, anew)
        make = lambda *sources: pipelines.sampled(sources, chances, stop_on_empty_dataset, draw)  # noqa: E731
        if not datasets:
            raise ValueError("Invalid `datasets`. `datasets` should not be empty.")
        for each in datasets:
            require_elements("sample_from_datasets", each)
        spec = functools.reduce(common_spec, (each.element_spec for each in datasets))
        tensors = [each.variant_tensor for each in datasets]
        return Dataset(ops.PLAIN(*tensors, make=make, draw=draw), spec)

    @staticmethod
    def list_files(
        file_pattern: TensorLike,
        shuffle: bool | None = None,
        seed: int | None = None,
        name: str | None = None,
    ) -> Dataset:
        """List the paths that match glob patterns.

        Args:
          file_pattern: one pattern or several.
          shuffle: whether the paths come in another random order in each loop; None: yes. Without
            shuffling they are sorted.
          seed: decides the order, as in `shuffle`.

        Returns: A dataset of string scalars.

        Raises: InvalidArgumentError if no path matches.

        >>> import os
        >>> [path.numpy().decode() for path in Dataset.list_files(os.devnull)]
        ['/dev/null']
        """
        pattern = convert_to_tensor(file_pattern, dtypes.string)
        paths = Dataset(ops.PLAIN(pattern, make=_matching_paths), spec_of(dtypes.string, ()))
        return paths if shuffle is False else paths.shuffle(paths.cardinality(), seed)

    @staticmethod
    def load(path: str | os.PathLike[str], element_spec: object = None) -> Dataset:
        """Load the elements that `save` wrote.

        Args:
          path: the directory.
          element_spec: expected specs of the elements; None accepts those in the file.

        Returns: A dataset of the elements, in the order in which they were saved.

        Raises:
          NotFoundError: if no dataset was saved there.
          ValueError: if the elements are of other specs than expected.
          DataLossError: if the file is damaged.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as home:
        ...     Dataset.range(3).save(home)
        ...     print([int(x) for x in Dataset.load(home)])
        [0, 1, 2]
        """
        found = storage.saved(path)
        if element_spec is not None and element_spec != found.spec:
            raise ValueError(
                f"The elements saved to {os.fspath(path)} are {found.spec}, but `element_spec` is "
                f"{element_spec}."
            )
        return Dataset(ops.PLAIN(make=found.pipeline), found.spec)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write all elements to a directory, for `Dataset.load`.

        Args:
          path: the directory; a dataset that was saved there is replaced when all elements are
            written.

        Raises:
          TypeError: for elements other than tensors, tuples and dicts.
          ValueError: if there is no end of elements.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as home:
        ...     Dataset.range(3).save(home)
        ...     print(len(list(Dataset.load(home))))
        3
        """
        if STATE.graph is not None:
            raise StagingError(
                "A dataset is saved while a graph is recorded, not when it runs.",
                public=OperatorNotAllowedInGraphError,
                remedy="Call `save` outside of the function.",
            )
        if self._pipeline.count == INFINITE:
            raise ValueError("The dataset is infinite: `take` elements before `save`.")
        for _ in storage.write(storage.file_of(path), self._spec, iter(self._pipeline)):
            pass

    def _made(self, variant_tensor: Tensor, element_spec: object) -> Self:
        return Dataset(variant_tensor, element_spec)  # type: ignore[return-value]

    @property
    def _type_spec(self) -> DatasetSpec:
        return DatasetSpec(self._spec)

    def __tensor_flatten__(self) -> tuple[tuple[Tensor], DatasetSpec]:
        """Return the tensor as part, and the kind."""
        return (self._variant,), DatasetSpec(self._spec)

    @classmethod
    def __tensor_unflatten__(cls, spec: DatasetSpec, parts: Any) -> Dataset:
        """Rebuild the dataset; the inverse of `__tensor_flatten__`."""
        return Dataset(parts[0], spec.element_spec)


def _matching_paths(patterns: object) -> Pipeline:
    texts = [os.fsdecode(one) for one in np.asarray(patterns, object).ravel()]
    paths = [os.fsencode(path) for text in texts for path in file_system.matching(text)]
    if not paths:
        raise InvalidArgumentError.of(f"No files matched pattern: {', '.join(texts)}")
    return pipelines.slices(sorted(paths))


def _constant(value: object) -> Tensor:
    return convert_to_tensor(value.read_value() if isinstance(value, Variable) else value)


def _rows(tensor: object) -> int | None:
    if not isinstance(tensor, Tensor):
        raise TypeError(f"from_tensor_slices takes tensors, not {tensor!r}")
    dims = tensor.spec.dims
    if dims == ():
        raise ValueError("Unbatching a tensor is only supported for rank >= 1")
    return None if dims is None else dims[0]


def _map_datasets(function: Callable[[Dataset], Any], structure: Any) -> Any:
    if isinstance(structure, Dataset):
        return function(structure)
    if isinstance(structure, dict):
        return {key: _map_datasets(function, part) for key, part in structure.items()}
    return tuple(_map_datasets(function, part) for part in structure)


def Counter(
    start: TensorLike = 0, step: TensorLike = 1, dtype: DTypeLike = dtypes.int64
) -> Dataset:
    """Count without end.

    Args:
      start: the first number.
      step: the difference of successive numbers.
      dtype: dtype of the numbers.

    Returns: A dataset that does not end.

    >>> [int(x) for x in Counter(5).take(2)]
    [5, 6]
    """
    numbers = whole_number("start", start), whole_number("step", step)
    kind = dtypes.as_dtype(dtype)
    return Dataset(ops.COUNTER(*numbers, dtype=kind), spec_of(kind, ()))


for _kind in (Dataset, OwnedIterator):
    register(_kind, LIBRARY)
