"""Op types whose values are pipelines: one for each kind of dataset."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.backprop.calls import compiled
from runtime.core import dtypes
from runtime.core.errors import FailedPreconditionError, OutOfRangeError
from runtime.core.graph import Graph
from runtime.core.observed import awaited, restore_awaited
from runtime.core.opdef import MIXED, NOT_DIFFERENTIABLE, Effect
from runtime.core.spec import TensorSpec, spec_of
from runtime.data import pipelines
from runtime.data.generators import Generated
from runtime.data.pipelines import Pipeline, Run
from runtime.ops.base.define import Op, define_op

VARIANT = spec_of(dtypes.variant, ())
"""Spec of the tensor that represents a dataset or an iterator."""


def _define(name: str, kernel: Callable[..., Any], local: str = "") -> Op:
    def made(xp: object, *inputs: object, **attrs: object) -> Pipeline:
        pipeline: Pipeline = kernel(*inputs, **attrs)
        sources = [source for source in inputs if isinstance(source, Pipeline)]
        if pipeline not in sources:
            own = [attrs["draw"]] if attrs.get("draw") is not None else []
            pipeline.draws = (*(draw for source in sources for draw in source.draws), *own)
            pipeline.repeatable = not isinstance(attrs.get("make"), Generated) and all(
                source.repeatable for source in sources
            )
        return pipeline

    return define_op(
        name,
        {"*input": MIXED},
        lambda *inputs, **attrs: VARIANT,
        made,
        boxed=True,
        grad=NOT_DIFFERENTIABLE,
        local=local,
    )


def runner(f: Any, captured: Sequence[Any]) -> Run:
    """Return a function on the components of an element that runs a graph or its executable."""
    run = compiled(f) if isinstance(f, Graph) else f
    if not captured:
        return run
    return lambda *components: run(*components, *captured)


def _of_function(make: Callable[..., Pipeline]) -> Callable[..., Pipeline]:
    """Wrap a kernel: it receives a pipeline, the captures of a function, and the function `f`."""

    def kernel(source: Pipeline, *captured: object, f: object, **attrs: object) -> Pipeline:
        return make(source, runner(f, captured), **attrs)

    return kernel


def _of_inner(make: Callable[..., Pipeline]) -> Callable[..., Pipeline]:
    """Wrap a kernel likewise; its function returns a pipeline."""

    def kernel(source: Pipeline, *captured: object, f: object, **attrs: object) -> Pipeline:
        run = runner(f, captured)
        return make(source, lambda *components: run(*components)[0], **attrs)

    return kernel


SLICES = _define("TensorSliceDataset", pipelines.slices)
SINGLE = _define("TensorDataset", pipelines.single)
RANGE = _define(
    "RangeDataset",
    lambda start, stop, step, dtype: pipelines.counted(
        int(start), int(stop), int(step), dtype.as_numpy_dtype
    ),
)
COUNTER = _define(
    "CounterDataset",
    lambda start, step, dtype: pipelines.counted(int(start), None, int(step), dtype.as_numpy_dtype),
)
PLAIN = _define(
    "PythonDataset",
    lambda *inputs, make, draw=None: make(*inputs),
    "its elements come from Python code, which a saved model does not contain",
)
"""Made by a Python function: elements of generators, files, and whatever a graph cannot say."""

MAP = _define("MapDataset", _of_function(pipelines.mapped))
PARALLEL_MAP = _define("ParallelMapDatasetV2", _of_function(pipelines.mapped_ahead))
FILTER = _define("FilterDataset", _of_function(pipelines.filtered))
FLAT_MAP = _define("FlatMapDataset", _of_inner(pipelines.flattened))
INTERLEAVE = _define("InterleaveDataset", _of_inner(pipelines.interleaved))
SHUFFLE = _define(
    "ShuffleDatasetV3", lambda source, size, draw: pipelines.shuffled(source, int(size), draw)
)
BATCH = _define(
    "BatchDatasetV2",
    lambda source, size, drop, stacks: pipelines.batched(source, int(size), drop, stacks),
)
UNBATCH = _define("UnbatchDataset", pipelines.unbatched)
REPEAT = _define(
    "RepeatDataset",
    lambda source, count: pipelines.repeated(source, None if count < 0 else int(count)),
)
TAKE = _define(
    "TakeDataset",
    lambda source, count: source if count < 0 else pipelines.taken(source, int(count)),
)
SKIP = _define(
    "SkipDataset",
    lambda source, count: (
        pipelines.taken(source, 0) if count < 0 else pipelines.skipped(source, int(count))
    ),
)
CONCATENATE = _define("ConcatenateDataset", pipelines.concatenated)
ZIP = _define("ZipDataset", pipelines.zipped)
ENUMERATE = _define(
    "EnumerateDataset", lambda source, start: pipelines.numbered(source, int(start))
)
CACHE = _define("CacheDataset", pipelines.cached)
PREFETCH = _define("PrefetchDataset", lambda source, size: pipelines.prefetched(source, int(size)))

CARDINALITY = define_op(
    "DatasetCardinality",
    {"input": MIXED},
    lambda source: spec_of(dtypes.int64, ()),
    lambda xp, source: np.int64(source.count),
)


class Cursor:
    """A position in a pipeline; `more` computes the next element."""

    __slots__ = ("_begin", "_elements", "_next", "_source", "_taken")

    def __init__(self, source: Pipeline) -> None:
        self._source = source
        self._begin = [draw.state() for draw in source.draws]
        self._elements = iter(source)
        self._next: Any = None
        self._taken = 0

    def position(self) -> Any:
        """Return the state for `restore`: the number of taken elements, and the random orders.

        Raises: FailedPreconditionError if a Python generator gives the elements.
        """
        if not self._source.repeatable:
            raise FailedPreconditionError.of(
                "the position in a dataset that a Python generator gives cannot be saved: nothing "
                "says that the generator gives the same elements again. Save what the generator "
                "needs to go on, or make the dataset of tensors or files."
            )
        numbers = [self._taken]
        for state in self._begin:
            numbers += [len(state), *state]
        return np.array(numbers, np.uint64)

    def restore(self, position: Any) -> None:
        """Go to a `position` of this dataset, or of an equal one.

        Raises: ValueError if that dataset had other random orders, or fewer elements.
        """
        taken, *rest = (int(number) for number in position)
        states = []
        while rest:
            states.append(rest[1 : 1 + rest[0]])
            rest = rest[1 + rest[0] :]
        if list(map(len, states)) != list(map(len, self._begin)):
            raise ValueError("the saved position is that of a dataset that is shuffled otherwise")
        for draw, state in zip(self._source.draws, states, strict=True):
            draw.restore(state)
        self._begin = states
        self._elements, self._next, self._taken = iter(self._source), None, taken
        for number in range(taken):
            if next(self._elements, None) is None:
                raise ValueError(f"{taken} elements were taken, and the dataset has {number}")

    def more(self) -> bool:
        """Return whether there is another element."""
        if awaited:
            restore_awaited()
        if self._next is None:
            self._next = next(self._elements, None)
        return self._next is not None

    def take(self) -> Any:
        """Return the next element, or None."""
        if awaited:
            restore_awaited()
        element, self._next = self._next, None
        if element is None:
            element = next(self._elements, None)
        self._taken += element is not None
        return element


def _take(cursor: Cursor, specs: tuple[TensorSpec, ...]) -> Any:
    element = cursor.take()
    if element is None:
        raise OutOfRangeError.of("End of sequence")
    return element


ITERATOR = define_op(
    "MakeIterator",
    {"dataset": MIXED},
    lambda source: VARIANT,
    lambda xp, source: Cursor(source),
    boxed=True,
    effect=Effect.WRITE,
    grad=NOT_DIFFERENTIABLE,
)
MORE = define_op(
    "IteratorHasNext",
    {"iterator": MIXED},
    lambda cursor: spec_of(dtypes.bool, ()),
    lambda xp, cursor: np.bool_(cursor.more()),
    effect=Effect.WRITE,
)
NEXT = define_op(
    "IteratorGetNext",
    {"iterator": MIXED},
    lambda cursor, specs: specs,
    lambda xp, cursor, specs: _take(cursor, specs),
    outputs=None,
    effect=Effect.WRITE,
    grad=NOT_DIFFERENTIABLE,
)
