"""`Dataset`: a sequence of elements, and its transformations."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from autograph.staging import register
from runtime.control_flow.for_loop import staged_for
from runtime.control_flow.iterables import Stream
from runtime.core import dtypes, nest
from runtime.core.dtypes import DType
from runtime.core.errors import (
    InvalidArgumentError,
    OperatorNotAllowedInGraphError,
    OutOfRangeError,
    StagingError,
)
from runtime.core.handlers import refuse_handled_by_name
from runtime.core.shapes import generalize
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import EagerTensor, Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.data import ops, pipelines, storage
from runtime.data.batching import PaddedStack, Stack, stacked_spec
from runtime.data.drawing import Draws
from runtime.data.elements import aligned, as_element, flat, packer, specs_of
from runtime.data.functions import Traced, tensor_of, tensor_spec, value_of
from runtime.data.generators import Generated, signature_of
from runtime.data.pipelines import INFINITE, UNKNOWN, Pipeline
from runtime.functions.conversion import converted
from runtime.functions.polymorphic import Function
from runtime.io import file_system
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import Op
from runtime.staging import LIBRARY
from runtime.state.object_graph import SavedState
from runtime.state.variable import Variable

AUTOTUNE = -1
"""Lets the runtime choose how much runs at once."""

INFINITE_CARDINALITY = INFINITE
UNKNOWN_CARDINALITY = UNKNOWN

MOST_RECORDED = 1_000
"""So often `next` of one iterator may be recorded."""

_AHEAD = 2
"""Elements that `prefetch(AUTOTUNE)` makes ahead, and functions that run at once."""


class DatasetSpec:
    """The type of a dataset that is part of an element.

    Args:
      element_spec: the spec of its elements.
      dataset_shape: only `()`.

    >>> DatasetSpec(TensorSpec([], dtypes.int32)).element_spec
    TensorSpec(shape=(), dtype=tf.int32, name=None)
    """

    def __init__(self, element_spec: object, dataset_shape: object = ()) -> None:
        self.element_spec = element_spec

    def of(self, variant: Tensor) -> Dataset:
        """Return the dataset that a tensor represents."""
        return Dataset(variant, self.element_spec)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DatasetSpec) and self.element_spec == other.element_spec

    def __hash__(self) -> int:
        return hash(tuple(flat(self.element_spec)))

    def __repr__(self) -> str:
        """Return `DatasetSpec(...)`."""
        return f"DatasetSpec({self.element_spec!r}, TensorShape([]))"


class Dataset:
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

    def __init__(self, variant_tensor: Tensor, element_spec: object) -> None:
        self._variant = variant_tensor
        self._spec = element_spec

    # ---- where elements come from ----

    @staticmethod
    def from_tensor_slices(tensors: object, name: str | None = None) -> Dataset:
        """Return a dataset of the rows of tensors.

        Args:
          tensors: a tensor, or a tuple or dict of tensors with equal first dimensions.

        Raises: ValueError for a scalar, or first dimensions that differ.

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

        >>> [int(x) for x in Dataset.range(1, 7, 2)]
        [1, 3, 5]
        """
        if not 1 <= len(args) <= 3:
            raise ValueError(f"Dataset.range takes one to three numbers, not {len(args)}")
        start, stop = (0, args[0]) if len(args) == 1 else args[:2]
        step = args[2] if len(args) == 3 else 1
        dtype = dtypes.as_dtype(output_type)
        return Dataset(ops.RANGE(start, stop, step, dtype=dtype), spec_of(dtype, ()))

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
        >>> spec = (TensorSpec([], dtypes.int32), TensorSpec([None], dtypes.int32))
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

        >>> pairs = Dataset.zip(Dataset.range(3), Dataset.range(5, 9))
        >>> [(int(a), int(b)) for a, b in pairs]
        [(0, 5), (1, 6), (2, 7)]
        """
        structure = datasets if datasets is not None else args[0] if len(args) == 1 else args
        parts = nest.flatten(structure)
        for part in parts:
            _require_dataset("zip", part)
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

        >>> ones = [Dataset.from_tensors(i).repeat(100) for i in (0, 1)]
        >>> mixed = Dataset.sample_from_datasets(ones, weights=[0.0, 1.0])
        >>> {int(x) for x in mixed.take(20)}
        {1}
        """
        chances = None if weights is None else np.asarray(convert_to_tensor(weights)).tolist()
        anew = seed is None if rerandomize_each_iteration is None else rerandomize_each_iteration
        draw = Draws(seed, anew)
        make = lambda *sources: pipelines.sampled(sources, chances, stop_on_empty_dataset, draw)  # noqa: E731
        return _together(datasets, make, draw=draw)

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

        Raises: InvalidArgumentError if no path matches.

        >>> import os
        >>> [path.numpy().decode() for path in Dataset.list_files(os.devnull)]
        ['/dev/null']
        """
        pattern = convert_to_tensor(file_pattern, dtypes.string)
        paths = Dataset(ops.PLAIN(pattern, make=_matching_paths), spec_of(dtypes.string, ()))
        return paths if shuffle is False else paths.shuffle(paths.cardinality(), seed)

    @staticmethod
    def load(
        path: str | os.PathLike[str],
        element_spec: object = None,
        compression: str | None = None,
        reader_func: Callable[[Dataset], Dataset] | None = None,
    ) -> Dataset:
        """Load the elements that `save` wrote.

        Args:
          path: the directory.
          element_spec: expected specs of the elements; None accepts those in the file.
          compression: no effect: the file says whether it is compressed.
          reader_func: from a dataset of the shards, which are datasets, to the elements; None
            takes one element of each shard in turn.

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
        storage.is_deflated(compression)
        found = storage.saved(path)
        if element_spec is not None and element_spec != found.spec:
            raise ValueError(
                f"The elements saved to {os.fspath(path)} are {found.spec}, but `element_spec` is "
                f"{element_spec}."
            )
        shards = found.shards()
        if reader_func is None:
            return Dataset(ops.PLAIN(make=lambda: pipelines.in_turn(shards)), found.spec)
        make = lambda: pipelines.slices(shards)  # noqa: E731
        loaded = reader_func(Dataset(ops.PLAIN(make=make), DatasetSpec(found.spec)))
        _require_dataset("reader_func", loaded)
        return loaded

    # ---- what it is ----

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

    # ---- going through ----

    def __iter__(self) -> OwnedIterator:
        """Iterate from the first element. Raises during tracing in code that is not converted."""
        return OwnedIterator(self)

    def staged_items(self) -> DatasetItems:
        """Return the iterable of a staged `for`."""
        return DatasetItems(self)

    def as_numpy_iterator(self) -> Iterator[Any]:
        """Iterate over the elements as NumPy arrays.

        >>> list(Dataset.range(3).as_numpy_iterator())
        [np.int64(0), np.int64(1), np.int64(2)]
        """
        return (nest.map_structure(lambda leaf: leaf.numpy(), element) for element in self)

    def reduce(
        self, initial_state: object, reduce_func: Callable[..., Any], name: str | None = None
    ) -> Any:
        """Fold all elements into a state.

        Args:
          initial_state: a structure of tensors.
          reduce_func: from state and element to the next state.

        >>> int(Dataset.range(5).reduce(np.int64(0), lambda total, x: total + x))
        10
        """
        state = nest.map_structure(convert_to_tensor, initial_state)
        if STATE.graph is not None:
            step = converted(reduce_func)

            def body(element: object, state: object) -> tuple[Any]:
                return (step(state, element),)

            return staged_for(self, body, None, (state,), ("state",), {})[0]
        run = Function(reduce_func)
        for element in self:
            state = run(state, element)
        return state

    # ---- what can be made of it ----

    def map(
        self,
        map_func: Callable[..., Any],
        num_parallel_calls: int | None = None,
        deterministic: bool | None = None,
        synchronous: bool | None = None,
        use_unbounded_threadpool: bool = False,
        name: str | None = None,
    ) -> Dataset:
        """Apply a function to each element.

        Args:
          map_func: takes an element, the parts of a tuple one by one. It is recorded once.
          num_parallel_calls: maximum number of simultaneous calls, on threads; None: one.
          deterministic: whether elements keep their order when calls run at once; None: yes.
          synchronous, use_unbounded_threadpool, name: have no effect.

        >>> pairs = Dataset.range(3).map(lambda x: {"x": x, "square": x * x})
        >>> [int(pair["square"]) for pair in pairs]
        [0, 1, 4]
        """
        traced = Traced(map_func, self._spec, "map")
        if num_parallel_calls is None:
            return self._of_function(ops.MAP, traced)
        workers = _AHEAD if num_parallel_calls == AUTOTUNE else int(num_parallel_calls)
        if workers < 1:
            raise ValueError(f"`num_parallel_calls` must be 1 or more, not {num_parallel_calls}")
        ordered = deterministic is not False
        return self._of_function(ops.PARALLEL_MAP, traced, workers=workers, ordered=ordered)

    def _of_function(self, op: Op, traced: Traced, **attrs: Any) -> Dataset:
        variant = op(self._variant, *traced.captures, f=traced.graph, **attrs)
        return Dataset(variant, traced.spec)

    def filter(self, predicate: Callable[..., Any], name: str | None = None) -> Dataset:
        """Keep the elements for which a function returns True.

        >>> [int(x) for x in Dataset.range(5).filter(lambda x: x % 2 == 0)]
        [0, 2, 4]
        """
        traced = Traced(predicate, self._spec, "filter")
        if traced.spec != spec_of(dtypes.bool, ()):
            raise ValueError(
                "`predicate` return type must be convertible to a scalar boolean tensor. filter "
                f"got {traced.spec}."
            )
        return Dataset(self._of_function(ops.FILTER, traced).variant_tensor, self._spec)

    def flat_map(self, map_func: Callable[..., Any], name: str | None = None) -> Dataset:
        """Map each element to a dataset, and concatenate these datasets.

        >>> rows = Dataset.range(3).flat_map(lambda n: Dataset.range(n))
        >>> [int(x) for x in rows]
        [0, 0, 1]
        """
        return self._inner(ops.FLAT_MAP, map_func, "flat_map")

    def interleave(
        self,
        map_func: Callable[..., Any],
        cycle_length: int | None = None,
        block_length: int | None = None,
        num_parallel_calls: int | None = None,
        deterministic: bool | None = None,
        name: str | None = None,
    ) -> Dataset:
        """Map each element to a dataset, and take elements of several datasets in turn.

        Args:
          map_func: from an element to a dataset.
          cycle_length: number of datasets that take turns.
          block_length: number of elements per turn.
          num_parallel_calls, deterministic, name: have no effect: elements come in the order that
            `deterministic` asks for.

        >>> rows = Dataset.range(1, 3).interleave(
        ...     lambda n: Dataset.from_tensors(n).repeat(3), cycle_length=2, block_length=2)
        >>> [int(x) for x in rows]
        [1, 1, 2, 2, 1, 2]
        """
        cycle = _AHEAD if cycle_length in (None, AUTOTUNE) else int(cycle_length)
        attrs = {"cycle": cycle, "block": int(block_length or 1)}
        return self._inner(ops.INTERLEAVE, map_func, "interleave", **attrs)

    def _inner(self, op: Op, function: Callable[..., Any], name: str, **attrs: Any) -> Dataset:
        traced = Traced(function, self._spec, name)
        if not isinstance(traced.spec, DatasetSpec):
            raise TypeError(f"`map_func` must return a `Dataset` object. {name} got {traced.spec}.")
        variant = op(self._variant, *traced.captures, f=traced.graph, **attrs)
        return Dataset(variant, traced.spec.element_spec)

    def shuffle(
        self,
        buffer_size: TensorLike,
        seed: int | None = None,
        reshuffle_each_iteration: bool | None = True,
        name: str | None = None,
    ) -> Dataset:
        """Shuffle the elements.

        Args:
          buffer_size: number of elements from which the next one is drawn.
          seed: the seed of the order, with that of `random.set_seed`.
          reshuffle_each_iteration: whether each loop has another order.

        Raises: ValueError for a buffer size below 1.

        >>> sorted(int(x) for x in Dataset.range(5).shuffle(3, seed=1))
        [0, 1, 2, 3, 4]
        """
        _require_positive("buffer_size", buffer_size)
        draw = Draws(seed, reshuffle_each_iteration is not False)
        return Dataset(ops.SHUFFLE(self._variant, _int64(buffer_size), draw=draw), self._spec)

    def batch(
        self,
        batch_size: TensorLike,
        drop_remainder: bool = False,
        num_parallel_calls: int | None = None,
        deterministic: bool | None = None,
        name: str | None = None,
    ) -> Dataset:
        """Stack successive elements along a new first dimension.

        Args:
          batch_size: number of elements per batch.
          drop_remainder: whether to omit a smaller batch at the end.
          num_parallel_calls, deterministic, name: have no effect.

        Raises: ValueError for a size that is not positive; InvalidArgumentError, in a loop, for
          elements of different shapes.

        >>> [rows.numpy().tolist() for rows in Dataset.range(5).batch(2)]
        [[0, 1], [2, 3], [4]]
        """
        size = _require_positive("batch_size", batch_size)
        first = size if drop_remainder else None
        spec = nest.map_structure(lambda part: stacked_spec(part, first), self._spec)
        stacks = tuple(Stack(i, part) for i, part in enumerate(flat(self._spec)))
        drop = bool(drop_remainder)
        variant = ops.BATCH(self._variant, _int64(batch_size), drop=drop, stacks=stacks)
        return Dataset(variant, spec)

    def padded_batch(
        self,
        batch_size: TensorLike,
        padded_shapes: object = None,
        padding_values: object = None,
        drop_remainder: bool = False,
        name: str | None = None,
    ) -> Dataset:
        """Pad elements to one shape, and stack them as `batch` does.

        Args:
          batch_size, drop_remainder: as for `batch`.
          padded_shapes: the shapes, in the structure of elements; None and -1 mean the largest
            in the batch, None for that in all unknown dimensions.
          padding_values: the padding; None: zeros, or empty strings.

        >>> import runtime as tf
        >>> rows = Dataset.range(1, 4).map(lambda n: tf.fill([n], n)).padded_batch(2)
        >>> [batch.numpy().tolist() for batch in rows]
        [[[1, 0], [2, 2]], [[3, 3, 3]]]
        """
        size = _require_positive("batch_size", batch_size)
        specs = flat(self._spec)
        shapes = aligned(self._spec, padded_shapes)
        values = aligned(self._spec, padding_values)
        parts = enumerate(zip(specs, shapes, values, strict=True))
        pads = [PaddedStack(number, *part) for number, part in parts]
        first = size if drop_remainder else None
        made = [spec_of(pad.dtype, (first, *pad.dims)) for pad in pads]
        drop = bool(drop_remainder)
        variant = ops.BATCH(self._variant, _int64(batch_size), drop=drop, stacks=tuple(pads))
        return Dataset(variant, packer(self._spec)(made))

    def unbatch(self, name: str | None = None) -> Dataset:
        """Split each element into its rows.

        Raises:
          ValueError: if a component is a scalar.
          InvalidArgumentError: in a loop, for an element whose components have different numbers
            of rows.

        >>> [int(x) for x in Dataset.range(5).batch(2).unbatch()]
        [0, 1, 2, 3, 4]
        """
        for part in flat(self._spec):
            if part.dims == ():
                raise ValueError(
                    f"Cannot unbatch an input with scalar components: elements are {self._spec}."
                )
        spec = nest.map_structure(
            lambda part: part.with_dims(part.dims and part.dims[1:]), self._spec
        )
        return Dataset(ops.UNBATCH(self._variant), spec)

    def repeat(self, count: TensorLike | None = None, name: str | None = None) -> Dataset:
        """Repeat all elements `count` times; None and -1: forever.

        >>> [int(x) for x in Dataset.range(2).repeat(2)]
        [0, 1, 0, 1]
        """
        return self._same(ops.REPEAT, -1 if count is None else count)

    def take(self, count: TensorLike, name: str | None = None) -> Dataset:
        """Return the first elements; -1: all.

        >>> [int(x) for x in Dataset.range(9).take(2)]
        [0, 1]
        """
        return self._same(ops.TAKE, count)

    def skip(self, count: TensorLike, name: str | None = None) -> Dataset:
        """Omit the first elements; -1: all.

        >>> [int(x) for x in Dataset.range(4).skip(2)]
        [2, 3]
        """
        return self._same(ops.SKIP, count)

    def _same(self, op: Op, *numbers: TensorLike) -> Dataset:
        return Dataset(op(self._variant, *map(_int64, numbers)), self._spec)

    def concatenate(self, dataset: Dataset, name: str | None = None) -> Dataset:
        """Append the elements of another dataset.

        Raises: TypeError if their elements are of different kinds.

        >>> [int(x) for x in Dataset.range(2).concatenate(Dataset.range(8, 9))]
        [0, 1, 8]
        """
        _require_dataset("concatenate", dataset)
        spec = _common_spec(self._spec, dataset.element_spec)
        return Dataset(ops.CONCATENATE(self._variant, dataset.variant_tensor), spec)

    def enumerate(self, start: TensorLike = 0, name: str | None = None) -> Dataset:
        """Return pairs of the number of an element and the element.

        >>> [(int(i), int(x)) for i, x in Dataset.range(5, 7).enumerate(1)]
        [(1, 5), (2, 6)]
        """
        spec = (spec_of(dtypes.int64, ()), self._spec)
        return Dataset(ops.ENUMERATE(self._variant, _int64(start)), spec)

    def cache(self, filename: str = "", name: str | None = None) -> Dataset:
        """Keep the elements of the first complete loop for later loops.

        Args:
          filename: the file to keep them in, also for later runs of the program; empty: in memory.
            Delete it when the pipeline before `cache` changes: only the element spec is compared.

        Raises: FailedPreconditionError in a loop, if the file holds elements of another spec.

        >>> numbers = Dataset.range(3).cache()
        >>> [[int(x) for x in numbers] for _ in range(2)]
        [[0, 1, 2], [0, 1, 2]]
        """
        if filename:
            return self._kept(f"{os.fspath(filename)}.data", None)
        return Dataset(ops.CACHE(self._variant), self._spec)

    def _kept(self, path: str, compression: str | None) -> Dataset:
        deflates = storage.is_deflated(compression)
        make = partial(storage.file_cache, path=path, spec=self._spec, deflates=deflates)
        return Dataset(ops.PLAIN(self._variant, make=make), self._spec)

    def snapshot(self, path: str | os.PathLike[str], compression: str | None = "AUTO") -> Dataset:
        """Keep the elements of the first complete loop in a directory, for later loops.

        Args:
          path: the directory. Delete it when the pipeline before `snapshot` changes: only the
            element spec is compared.
          compression: "GZIP", or "AUTO" and None for no compression.

        Raises: FailedPreconditionError in a loop, if the directory holds elements of another spec.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as home:
        ...     numbers = Dataset.range(3).shuffle(3, seed=1).snapshot(home)
        ...     [int(x) for x in numbers] == [int(x) for x in numbers]
        True
        """
        return self._kept(storage.file_of(path), compression)

    def save(
        self,
        path: str | os.PathLike[str],
        compression: str | None = None,
        shard_func: Callable[..., Any] | None = None,
    ) -> None:
        """Write all elements to a directory, for `Dataset.load`.

        Args:
          path: the directory; a dataset that was saved there is replaced when all elements are
            written.
          compression: "GZIP", or None for no compression.
          shard_func: from an element to the number of its shard, an integer scalar; None puts all
            elements in one shard.

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
        deflates, elements = storage.is_deflated(compression), iter(self._pipeline)
        shard_of = storage.first_shard if shard_func is None else self._numbers(shard_func)
        for _ in storage.write(storage.file_of(path), self._spec, elements, deflates, shard_of):
            pass

    def _numbers(self, function: Callable[..., Any]) -> storage.ShardOf:
        traced = Traced(function, self._spec, "shard_func")
        spec = traced.spec
        if not isinstance(spec, TensorSpec) or not spec.dtype.is_integer or spec.dims != ():
            raise ValueError(f"`shard_func` returns an integer scalar, not {spec}.")
        captured = [tensor.array for tensor in traced.captures]  # type: ignore[attr-defined]
        run = ops.runner(traced.graph, captured)
        return lambda element: int(run(*element)[0])

    def prefetch(self, buffer_size: TensorLike, name: str | None = None) -> Dataset:
        """Compute elements ahead of their use, on a thread.

        Args:
          buffer_size: number of elements; AUTOTUNE: a few.

        >>> [int(x) for x in Dataset.range(3).prefetch(2)]
        [0, 1, 2]
        """
        size = _AHEAD if isinstance(buffer_size, int) and buffer_size == AUTOTUNE else buffer_size
        return self._same(ops.PREFETCH, size)

    def rejection_resample(
        self,
        class_func: Callable[..., Any],
        target_dist: TensorLike,
        initial_dist: TensorLike | None = None,
        seed: int | None = None,
        name: str | None = None,
    ) -> Dataset:
        """Leave out elements at random so that classes have the target distribution.

        An element of class c is kept with probability proportional to target[c] / initial[c]
        (rejection sampling). Each element comes at most once.

        Args:
          class_func: from an element to its class, an integer scalar.
          target_dist: probabilities of the classes, float, shape [classes].
          initial_dist: those of the dataset; None: counted while elements pass.
          seed: decides what is left out.

        Returns: A dataset of pairs (class, element).
        Raises: InvalidArgumentError in a loop, for a class that is out of range.

        >>> numbers = Dataset.range(9).rejection_resample(lambda x: x % 3, [0.0, 1.0, 0.0])
        >>> {int(kind) for kind, x in numbers}
        {1}
        """
        target = np.asarray(convert_to_tensor(target_dist), float)
        initial = None if initial_dist is None else np.asarray(convert_to_tensor(initial_dist))
        draw = Draws(seed, seed is None)
        label = converted(class_func)

        def labeled(*parts: object) -> tuple[Any, Any]:
            return label(*parts), parts if type(self._spec) is tuple else parts[0]

        pairs = self.map(labeled)
        make = lambda source: pipelines.resampled(source, target, initial, draw)  # noqa: E731
        return Dataset(ops.PLAIN(pairs.variant_tensor, make=make), pairs.element_spec)

    def window(
        self,
        size: int,
        shift: int | None = None,
        stride: int = 1,
        drop_remainder: bool = False,
        name: str | None = None,
    ) -> Dataset:
        """Group elements into datasets of `size` elements.

        Args:
          size: number of elements per window.
          shift: distance between the first elements of successive windows; None: `size`.
          stride: distance between successive elements of a window.
          drop_remainder: whether to omit smaller windows at the end.

        >>> windows = Dataset.range(5).window(3, shift=1, drop_remainder=True)
        >>> [[int(x) for x in window] for window in windows]
        [[0, 1, 2], [1, 2, 3], [2, 3, 4]]
        """
        numbers = int(size), int(shift or size), int(stride)
        for what, number in zip(("size", "shift", "stride"), numbers, strict=True):
            _require_positive(what, number)
        leaves = flat(self._spec)
        make = lambda source: _windows(source, numbers, bool(drop_remainder), len(leaves))  # noqa: E731
        spec = nest.map_structure(DatasetSpec, self._spec)
        return Dataset(ops.PLAIN(self._variant, make=make), spec)


class DatasetItems(Stream):
    """The elements of a dataset, for staged loops."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset

    def begin(self) -> IteratorItems:
        """Return the elements of one loop."""
        return IteratorItems(ops.ITERATOR(self._dataset.variant_tensor), self._dataset.element_spec)


def _next(iterator: object, spec: object) -> Any:
    specs = tuple(map(tensor_spec, flat(spec)))
    return value_of(spec, ops.NEXT.outputs(iterator, specs=specs))


class OwnedIterator(SavedState):
    """An iterator over a dataset; `iter(dataset)` creates it.

    >>> numbers = iter(Dataset.range(3))
    >>> int(next(numbers)), int(numbers.get_next())
    (0, 1)
    """

    state_suffix = ".ATTRIBUTES/ITERATOR_STATE"

    def __init__(self, dataset: Dataset) -> None:
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
            raise ValueError(f"{key} is no position of an iterator, but {dtype.name}{dims}")

    def restore(self, array: object) -> None:
        """Go to a saved position. Raises ValueError if the dataset has no such position."""
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


def _windows(
    source: Pipeline, numbers: tuple[int, int, int], drop: bool, components: int
) -> Pipeline:
    def element(window: list[pipelines.Element]) -> pipelines.Element:
        columns = [[(each[i],) for each in window] for i in range(components)]
        return tuple(Pipeline(column.__iter__, len(column)) for column in columns)

    return Pipeline(lambda: map(element, pipelines.windowed(source, *numbers, drop)))


def _matching_paths(patterns: object) -> Pipeline:
    texts = [os.fsdecode(one) for one in np.asarray(patterns, object).ravel()]
    paths = [os.fsencode(path) for text in texts for path in file_system.matching(text)]
    if not paths:
        raise InvalidArgumentError.of(f"No files matched pattern: {', '.join(texts)}")
    return pipelines.slices(sorted(paths))


def _constant(value: object) -> Tensor:
    return convert_to_tensor(value.read_value() if isinstance(value, Variable) else value)


def _rows(tensor: Tensor) -> int | None:
    dims = tensor.spec.dims
    if dims == ():
        raise ValueError("Unbatching a tensor is only supported for rank >= 1")
    return None if dims is None else dims[0]


def _int64(value: TensorLike) -> Tensor:
    return convert_to_tensor(value, dtypes.int64)


def _require_positive(what: str, value: object) -> int | None:
    if isinstance(value, (int, np.integer)):
        if value < 1:
            raise ValueError(f"`{what}` must be greater than zero, but it is {value}.")
        return int(value)
    return None


def _require_dataset(what: str, value: object) -> None:
    if not isinstance(value, Dataset):
        raise TypeError(f"{what} takes and gives datasets, not {value!r}")


def _map_datasets(function: Callable[[Dataset], Any], structure: Any) -> Any:
    if isinstance(structure, Dataset):
        return function(structure)
    if isinstance(structure, dict):
        return {key: _map_datasets(function, part) for key, part in structure.items()}
    return tuple(_map_datasets(function, part) for part in structure)


def _together(
    datasets: Sequence[Dataset],
    make: Callable[..., Pipeline],
    *before: Dataset,
    draw: Draws | None = None,
) -> Dataset:
    if not datasets:
        raise ValueError("Invalid `datasets`. `datasets` should not be empty.")
    spec = datasets[0].element_spec
    for dataset in datasets[1:]:
        spec = _common_spec(spec, dataset.element_spec)
    tensors = [each.variant_tensor for each in (*before, *datasets)]
    return Dataset(ops.PLAIN(*tensors, make=make, draw=draw), spec)


def _common_spec(a: object, b: object) -> Any:
    try:
        return nest.map_structure(_common, a, b)
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"the elements of the datasets are of different kinds: {a} and {b}."
        ) from error


def _common(a: TensorSpec, b: TensorSpec) -> TensorSpec:
    if a.dtype is not b.dtype:
        raise TypeError(f"{a.dtype.name} and {b.dtype.name}")
    return a.with_dims(generalize(a.dims, b.dims))


for _kind in (Dataset, OwnedIterator):
    register(_kind, LIBRARY)
