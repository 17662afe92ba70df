"""Sources of datasets: tensors, generators, files and other datasets."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np

from runtime.core import dtypes, nest
from runtime.core.spec import spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.data import ops, pipelines, storage
from runtime.data.drawing import Draws
from runtime.data.elements import as_element, common_spec, specs_of, tensor_of
from runtime.data.generators import Generated, signature_of
from runtime.data.iteration import Elements, require_elements
from runtime.ops.base.arguments import whole_number
from runtime.ops.base.convert import convert_to_tensor
from runtime.state.variable import Variable


class Sources(Elements):
    """The functions of `Dataset` that make one."""

    @classmethod
    def from_tensor_slices(cls, tensors: object, name: str | None = None) -> Self:
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
        return cls._made(ops.SLICES(*parts), spec)

    @classmethod
    def from_tensors(cls, tensors: object, name: str | None = None) -> Self:
        """Return a dataset of one element.

        Args:
          tensors: the element.

        >>> [x.numpy().tolist() for x in Dataset.from_tensors([1, 2])]
        [[1, 2]]
        """
        element = as_element(tensors, _constant)
        parts = list(map(tensor_of, nest.flatten(element)))
        return cls._made(ops.SINGLE(*parts), specs_of(element))

    @classmethod
    def range(
        cls, *args: TensorLike, output_type: object = dtypes.int64, name: str | None = None
    ) -> Self:
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
        return cls._made(ops.RANGE(*numbers, dtype=dtype), spec_of(dtype, ()))

    @classmethod
    def from_generator(
        cls,
        generator: Callable[..., Any],
        output_types: object = None,
        output_shapes: object = None,
        args: Sequence[TensorLike] | None = None,
        output_signature: object = None,
        name: str | None = None,
    ) -> Self:
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
        return cls._made(ops.PLAIN(*tensors, make=make), spec)

    @classmethod
    def zip(cls, *args: object, datasets: object = None, name: str | None = None) -> Self:
        """Combine elements of several datasets, up to the end of the shortest.

        Args:
          args: datasets, or one structure of them.
          datasets: the structure, by name.

        Returns: A dataset of elements in the structure of the datasets.
        Raises: TypeError if a part of the structure is not a dataset.

        >>> pairs = Dataset.zip(Dataset.range(3), Dataset.range(5, 9))
        >>> [(int(a), int(b)) for a, b in pairs]
        [(0, 5), (1, 6), (2, 7)]
        """
        structure = datasets if datasets is not None else args[0] if len(args) == 1 else args
        parts = nest.flatten(structure)
        for part in parts:
            require_elements("zip", part)
        spec = _map_datasets(lambda part: part.element_spec, structure)
        return cls._made(ops.ZIP(*(part.variant_tensor for part in parts)), spec)

    @classmethod
    def sample_from_datasets(
        cls,
        datasets: Sequence[Elements],
        weights: object = None,
        seed: int | None = None,
        stop_on_empty_dataset: bool = False,
        rerandomize_each_iteration: bool | None = None,
    ) -> Self:
        """Draw elements of several datasets at random.

        Args:
          datasets: datasets with elements of one spec.
          weights: the probability of each; None: equal.
          seed: the seed of the draws.
          stop_on_empty_dataset: whether it ends with the first dataset that ends.
          rerandomize_each_iteration: whether each loop draws anew; None: unless there is a seed.

        Returns: A dataset of the elements that are drawn.

        Raises:
          TypeError: if one is not a dataset.
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
        return cls._made(ops.PLAIN(*tensors, make=make, draw=draw), spec)

    @classmethod
    def load(cls, path: str | os.PathLike[str], element_spec: object = None) -> Self:
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
        return cls._made(ops.PLAIN(make=found.pipeline), found.spec)


def _constant(value: object) -> Tensor:
    return convert_to_tensor(value.read_value() if isinstance(value, Variable) else value)


def _rows(tensor: object) -> int | None:
    if not isinstance(tensor, Tensor):
        raise TypeError(f"from_tensor_slices takes tensors, not {tensor!r}")
    dims = tensor.spec.dims
    if dims == ():
        raise ValueError("Unbatching a tensor is only supported for rank >= 1")
    return None if dims is None else dims[0]


def _map_datasets(function: Callable[[Elements], Any], structure: Any) -> Any:
    if isinstance(structure, Elements):
        return function(structure)
    if isinstance(structure, dict):
        return {key: _map_datasets(function, part) for key, part in structure.items()}
    return tuple(_map_datasets(function, part) for part in structure)
