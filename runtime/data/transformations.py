"""Datasets made of other datasets."""

from __future__ import annotations

import os
from functools import partial
from typing import Self

from runtime.core import dtypes, nest
from runtime.core.spec import spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.data import ops, pipelines, storage
from runtime.data.batching import PaddedStack, Stack, stacked_spec
from runtime.data.drawing import Draws
from runtime.data.elements import aligned_argument, common_spec, flat, packer
from runtime.data.iteration import Elements, require_elements, require_positive
from runtime.data.pipelines import AHEAD, AUTOTUNE, Pipeline
from runtime.ops.base.arguments import static_int
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import Op


class Transformable(Elements):
    """Elements with the transformations that make another dataset of them.

    The examples are those of `Dataset`, of which each transformation returns one.
    """

    def shuffle(
        self,
        buffer_size: TensorLike,
        seed: int | None = None,
        reshuffle_each_iteration: bool | None = True,
        name: str | None = None,
    ) -> Self:
        """Shuffle the elements.

        Args:
          buffer_size: number of elements from which the next one is drawn.
          seed: the seed of the order, with that of `random.set_seed`.
          reshuffle_each_iteration: whether each loop has another order.

        Returns: A dataset of the same elements.

        Raises: ValueError for a buffer size below 1.

        >>> sorted(int(x) for x in Dataset.range(5).shuffle(3, seed=1))
        [0, 1, 2, 3, 4]
        """
        require_positive("buffer_size", buffer_size)
        draw = Draws(seed, reshuffle_each_iteration is not False)
        return self._made(ops.SHUFFLE(self._variant, _int64(buffer_size), draw=draw), self._spec)

    def batch(
        self,
        batch_size: TensorLike,
        drop_remainder: bool = False,
        num_parallel_calls: int | None = None,
        deterministic: bool | None = None,
        name: str | None = None,
    ) -> Self:
        """Stack successive elements along a new first dimension.

        Args:
          batch_size: number of elements per batch.
          drop_remainder: whether to omit a smaller batch at the end.
          num_parallel_calls, deterministic, name: have no effect.

        Returns: A dataset of tensors of shape [batch, ...].

        Raises: ValueError for a size that is not positive; InvalidArgumentError, in a loop, for
          elements of different shapes.

        >>> [rows.numpy().tolist() for rows in Dataset.range(5).batch(2)]
        [[0, 1], [2, 3], [4]]
        """
        size = require_positive("batch_size", batch_size)
        first = size if drop_remainder else None
        spec = nest.map_structure(lambda part: stacked_spec(part, first), self._spec)
        stacks = tuple(Stack(i, part) for i, part in enumerate(flat(self._spec)))
        drop = bool(drop_remainder)
        variant = ops.BATCH(self._variant, _int64(batch_size), drop=drop, stacks=stacks)
        return self._made(variant, spec)

    def padded_batch(
        self,
        batch_size: TensorLike,
        padded_shapes: object = None,
        padding_values: object = None,
        drop_remainder: bool = False,
        name: str | None = None,
    ) -> Self:
        """Pad elements to one shape, and stack them as `batch` does.

        Args:
          batch_size, drop_remainder: as for `batch`.
          padded_shapes: the shapes, in the structure of elements; None and -1 mean the largest
            in the batch, None for that in all unknown dimensions.
          padding_values: the padding; None: zeros, or empty strings.

        Returns: A dataset of tensors of shape [batch, *padded].

        Raises:
          TypeError: for arguments of another structure.
          ValueError: for a size that is not positive, or a shape of another rank.

        >>> import runtime as tf
        >>> rows = Dataset.range(1, 4).map(lambda n: tf.fill([n], n)).padded_batch(2)
        >>> [batch.numpy().tolist() for batch in rows]
        [[[1, 0], [2, 2]], [[3, 3, 3]]]
        """
        size = require_positive("batch_size", batch_size)
        specs = flat(self._spec)
        shapes = aligned_argument("padded_shapes", self._spec, padded_shapes)
        values = aligned_argument("padding_values", self._spec, padding_values)
        parts = enumerate(zip(specs, shapes, values, strict=True))
        pads = [PaddedStack(number, *part) for number, part in parts]
        first = size if drop_remainder else None
        made = [spec_of(pad.dtype, (first, *pad.dims)) for pad in pads]
        drop = bool(drop_remainder)
        variant = ops.BATCH(self._variant, _int64(batch_size), drop=drop, stacks=tuple(pads))
        return self._made(variant, packer(self._spec)(made))

    def unbatch(self, name: str | None = None) -> Self:
        """Split each element into its rows.

        Returns: A dataset of the rows.

        Raises:
          ValueError: if a component is a scalar.
          InvalidArgumentError: in a loop, for an element whose components have different numbers
            of rows.

        >>> [int(x) for x in Dataset.range(5).batch(2).unbatch()]
        [0, 1, 2, 3, 4]
        """
        parts = flat(self._spec)
        if any(part.dims == () for part in parts):
            raise ValueError(
                f"Cannot unbatch an input with scalar components: elements are {self._spec}."
            )
        rows = next((part.dims[0] for part in parts if part.dims and part.dims[0]), None)
        spec = nest.map_structure(
            lambda part: part.with_dims(part.dims and part.dims[1:]), self._spec
        )
        return self._made(ops.UNBATCH(self._variant, rows_each=rows), spec)

    def repeat(self, count: TensorLike | None = None, name: str | None = None) -> Self:
        """Repeat all elements.

        Args:
          count: an integer scalar; None and -1: forever.

        Returns: A dataset of `count` times as many elements.

        >>> [int(x) for x in Dataset.range(2).repeat(2)]
        [0, 1, 0, 1]
        """
        return self._same(ops.REPEAT, -1 if count is None else count)

    def take(self, count: TensorLike, name: str | None = None) -> Self:
        """Return a dataset of the first `count` elements.

        Args:
          count: an integer scalar; -1: all elements.

        >>> [int(x) for x in Dataset.range(9).take(2)]
        [0, 1]
        """
        return self._same(ops.TAKE, count)

    def skip(self, count: TensorLike, name: str | None = None) -> Self:
        """Omit the first `count` elements.

        Args:
          count: an integer scalar; -1: all elements.

        Returns: A dataset of the remaining elements.

        >>> [int(x) for x in Dataset.range(4).skip(2)]
        [2, 3]
        """
        return self._same(ops.SKIP, count)

    def _same(self, op: Op, *numbers: TensorLike) -> Self:
        return self._made(op(self._variant, *map(_int64, numbers)), self._spec)

    def concatenate(self, dataset: Elements, name: str | None = None) -> Self:
        """Append the elements of another dataset.

        Args:
          dataset: the other dataset.

        Returns: A dataset of the elements of both.

        Raises: TypeError if their elements are of different kinds.

        >>> [int(x) for x in Dataset.range(2).concatenate(Dataset.range(8, 9))]
        [0, 1, 8]
        """
        require_elements("concatenate", dataset)
        spec = common_spec(self._spec, dataset.element_spec)
        return self._made(ops.CONCATENATE(self._variant, dataset.variant_tensor), spec)

    def enumerate(self, start: TensorLike = 0, name: str | None = None) -> Self:
        """Return a dataset of pairs (number, element); numbers are int64.

        Args:
          start: the number of the first element, an integer scalar.

        >>> [(int(i), int(x)) for i, x in Dataset.range(5, 7).enumerate(1)]
        [(1, 5), (2, 6)]
        """
        spec = (spec_of(dtypes.int64, ()), self._spec)
        return self._made(ops.ENUMERATE(self._variant, _int64(start)), spec)

    def cache(self, filename: str = "", name: str | None = None) -> Self:
        """Keep the elements of the first complete loop for later loops.

        Args:
          filename: the file to keep them in, also for later runs of the program; empty: in memory.
            Delete it when the pipeline before `cache` changes: only the element spec is compared.

        Returns: A dataset of the same elements.

        Raises: FailedPreconditionError in a loop, if the file holds elements of another spec.

        >>> numbers = Dataset.range(3).cache()
        >>> [[int(x) for x in numbers] for _ in range(2)]
        [[0, 1, 2], [0, 1, 2]]
        """
        if filename:
            return self._kept(f"{os.fspath(filename)}.data")
        return self._made(ops.CACHE(self._variant), self._spec)

    def _kept(self, path: str) -> Self:
        make = partial(storage.file_cache, path=path, spec=self._spec)
        return self._made(ops.PLAIN(self._variant, make=make), self._spec)

    def snapshot(self, path: str | os.PathLike[str]) -> Self:
        """Keep the elements of the first complete loop in a directory, for later loops.

        Args:
          path: the directory. Delete it when the pipeline before `snapshot` changes: only the
            element spec is compared.

        Returns: A dataset of the same elements.

        Raises: FailedPreconditionError in a loop, if the directory holds elements of another spec.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as home:
        ...     numbers = Dataset.range(3).shuffle(3, seed=1).snapshot(home)
        ...     [int(x) for x in numbers] == [int(x) for x in numbers]
        True
        """
        return self._kept(storage.file_of(path))

    def prefetch(self, buffer_size: TensorLike, name: str | None = None) -> Self:
        """Compute elements ahead of their use, on a thread.

        Args:
          buffer_size: number of elements; AUTOTUNE: a few.

        Returns: A dataset of the same elements.

        >>> [int(x) for x in Dataset.range(3).prefetch(2)]
        [0, 1, 2]
        """
        size = AHEAD if isinstance(buffer_size, int) and buffer_size == AUTOTUNE else buffer_size
        return self._same(ops.PREFETCH, size)

    def window(
        self,
        size: int,
        shift: int | None = None,
        stride: int = 1,
        drop_remainder: bool = False,
        name: str | None = None,
    ) -> Self:
        """Group elements into datasets of `size` elements.

        Args:
          size: number of elements per window.
          shift: distance between the first elements of successive windows; None: `size`.
          stride: distance between successive elements of a window.
          drop_remainder: whether to omit smaller windows at the end.

        Returns: A dataset of datasets; for elements that are structures, of structures of datasets.

        Raises:
          TypeError: if a number is not an integer.
          ValueError: if a number is not positive.

        >>> windows = Dataset.range(5).window(3, shift=1, drop_remainder=True)
        >>> [[int(x) for x in window] for window in windows]
        [[0, 1, 2], [1, 2, 3], [2, 3, 4]]
        """
        size, stride = static_int("size", size), static_int("stride", stride)
        numbers = size, size if shift is None else static_int("shift", shift), stride
        for what, number in zip(("size", "shift", "stride"), numbers, strict=True):
            require_positive(what, number)
        leaves = flat(self._spec)
        make = lambda source: _windows(source, numbers, bool(drop_remainder), len(leaves))  # noqa: E731
        spec = nest.map_structure(type(self._type_spec), self._spec)
        return self._made(ops.PLAIN(self._variant, make=make), spec)


def _windows(
    source: Pipeline, numbers: tuple[int, int, int], drop: bool, components: int
) -> Pipeline:
    def element(window: list[pipelines.Element]) -> pipelines.Element:
        columns = [[(each[i],) for each in window] for i in range(components)]
        return tuple(Pipeline(column.__iter__, len(column)) for column in columns)

    return Pipeline(lambda: map(element, pipelines.windowed(source, *numbers, drop)))


def _int64(value: TensorLike) -> Tensor:
    return convert_to_tensor(value, dtypes.int64)
