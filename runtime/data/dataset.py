"""`Dataset`: a sequence of elements, and the datasets that functions of a program make of it."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np

from runtime.control_flow.for_loop import staged_for
from runtime.core import dtypes, nest
from runtime.core.aliases import DTypeLike
from runtime.core.errors import InvalidArgumentError, OperatorNotAllowedInGraphError, StagingError
from runtime.core.graph import Graph
from runtime.core.spec import spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.data import ops, pipelines, storage
from runtime.data.drawing import Draws
from runtime.data.elements import as_element, flat, specs_of, tensor_of, tensor_spec, value_of
from runtime.data.iteration import require_positive
from runtime.data.pipelines import AHEAD, AUTOTUNE, INFINITE, Pipeline
from runtime.data.sources import Sources
from runtime.data.transformations import Transformable
from runtime.functions.conversion import converted
from runtime.functions.polymorphic import Function
from runtime.io import file_system
from runtime.ops.base.arguments import static_int, whole_number
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import Op

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


class Traced:
    """A function on elements, recorded for elements of one kind.

    Attributes:
      spec: the spec of its result.
      graph, captures: the graph, and the tensors from outside that it uses.
    """

    def __init__(self, function: Callable[..., Any], spec: object, name: str) -> None:
        if not callable(function):
            raise TypeError(f"{name} takes a function, not {function!r}")
        self.spec: Any = None
        label = getattr(function, "__name__", name)
        target = function if isinstance(function, type) else converted(function)

        def program(*components: Tensor) -> tuple[Tensor, ...]:
            element = value_of(spec, components)
            arguments = element if type(element) is tuple else (element,)
            try:
                given = target(*arguments)
            except TypeError:
                _check_parameters(function, arguments, f"{name} calls {label}")
                raise
            if given is None:
                raise TypeError(
                    f"{name}: {label} returns None. Return a tensor, or a structure of tensors."
                )
            # A list is a tuple here: of what `decode_csv` and `unstack` return, not a tensor.
            result = as_element(tuple(given) if type(given) is list else given)
            self.spec = specs_of(result)
            return tuple(map(tensor_of, nest.flatten(result)))

        specs = [tensor_spec(each) for each in nest.flatten(spec)]
        concrete = Function(program, label, autograph=False).get_concrete_function(*specs)
        self.graph: Graph = concrete.graph
        self.captures: Sequence[Tensor] = concrete.captured_inputs


def _check_parameters(function: Callable[..., Any], arguments: Sequence[Any], call: str) -> None:
    """Raise TypeError if a function does not take the arguments that an element becomes."""
    try:
        signature = inspect.signature(function)
    except ValueError:  # a function written in C
        return
    try:
        signature.bind(*arguments)
    except TypeError as error:
        count = len(arguments)
        shown = ", ".join(str(specs_of(each)) for each in arguments)
        raise TypeError(
            f"{call} with {count} argument{'s' * (count > 1)}, {shown}: {error}. Give it "
            f"{count} parameter{'s' * (count > 1)}."
        ) from None


class Dataset(Sources, Transformable):
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

    def map(
        self,
        map_func: Callable[..., Any],
        num_parallel_calls: int | None = None,
        deterministic: bool | None = None,
        synchronous: bool | None = None,
        use_unbounded_threadpool: bool = False,
        name: str | None = None,
    ) -> Self:
        """Apply a function to each element.

        Args:
          map_func: takes an element, the parts of a tuple one by one. It is recorded once.
          num_parallel_calls: maximum number of simultaneous calls, on threads; None: one.
          deterministic: whether elements keep their order when calls run at once; None: yes.
          synchronous, use_unbounded_threadpool, name: have no effect.

        Returns: A dataset of the results, with the spec that the function gives.

        Raises:
          TypeError: if `map_func` cannot be called. Errors of the trace of `map_func` pass through.
          ValueError: for fewer than one call at once.

        >>> pairs = Dataset.range(3).map(lambda x: {"x": x, "square": x * x})
        >>> [int(pair["square"]) for pair in pairs]
        [0, 1, 4]
        """
        traced = Traced(map_func, self._spec, "map")
        if num_parallel_calls is None:
            return self._of_function(ops.MAP, traced)
        workers = _number("num_parallel_calls", num_parallel_calls)
        ordered = deterministic is not False
        return self._of_function(ops.PARALLEL_MAP, traced, workers=workers, ordered=ordered)

    def _of_function(self, op: Op, traced: Traced, **attrs: Any) -> Self:
        variant = op(self._variant, *traced.captures, f=traced.graph, **attrs)
        return self._made(variant, traced.spec)

    def filter(self, predicate: Callable[..., Any], name: str | None = None) -> Self:
        """Keep the elements for which a function returns True.

        Args:
          predicate: from an element to a bool scalar.

        Returns: A dataset of the elements that are kept, in their order.
        Raises: ValueError if `predicate` returns no bool scalar.

        >>> [int(x) for x in Dataset.range(5).filter(lambda x: x % 2 == 0)]
        [0, 2, 4]
        """
        traced = Traced(predicate, self._spec, "filter")
        if traced.spec != spec_of(dtypes.bool, ()):
            raise ValueError(
                "`predicate` return type must be convertible to a scalar boolean tensor. filter "
                f"got {traced.spec}."
            )
        return self._made(self._of_function(ops.FILTER, traced).variant_tensor, self._spec)

    def flat_map(self, map_func: Callable[..., Any], name: str | None = None) -> Self:
        """Map each element to a dataset, and concatenate these datasets.

        Args:
          map_func: from an element to a dataset.

        Returns: A dataset of the elements of these datasets.
        Raises: TypeError if `map_func` returns no dataset.

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
    ) -> Self:
        """Map each element to a dataset, and take elements of several datasets in turn.

        Args:
          map_func: from an element to a dataset.
          cycle_length: number of datasets that take turns.
          block_length: number of elements per turn.
          num_parallel_calls, deterministic, name: have no effect: elements come in the order that
            `deterministic` asks for.

        Returns: A dataset of the elements of these datasets.

        Raises:
          TypeError: if `map_func` returns no dataset, or a number is not an integer.
          ValueError: if a number is not positive.

        >>> rows = Dataset.range(1, 3).interleave(
        ...     lambda n: Dataset.from_tensors(n).repeat(3), cycle_length=2, block_length=2)
        >>> [int(x) for x in rows]
        [1, 1, 2, 2, 1, 2]
        """
        cycle = _number("cycle_length", AUTOTUNE if cycle_length is None else cycle_length)
        block = 1 if block_length is None else static_int("block_length", block_length)
        require_positive("block_length", block)
        attrs = {"cycle": cycle, "block": block}
        return self._inner(ops.INTERLEAVE, map_func, "interleave", **attrs)

    def _inner(self, op: Op, function: Callable[..., Any], name: str, **attrs: Any) -> Self:
        traced = Traced(function, self._spec, name)
        if not isinstance(traced.spec, type(self._type_spec)):
            raise TypeError(f"`map_func` must return a `Dataset` object. {name} got {traced.spec}.")
        variant = op(self._variant, *traced.captures, f=traced.graph, **attrs)
        return self._made(variant, traced.spec.element_spec)

    def rejection_resample(
        self,
        class_func: Callable[..., Any],
        target_dist: TensorLike,
        initial_dist: TensorLike | None = None,
        seed: int | None = None,
        name: str | None = None,
    ) -> Self:
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
        return self._made(ops.PLAIN(pairs.variant_tensor, make=make), pairs.element_spec)

    def reduce(
        self, initial_state: object, reduce_func: Callable[..., Any], name: str | None = None
    ) -> Any:
        """Fold all elements into a state.

        Args:
          initial_state: a structure of tensors.
          reduce_func: from state and element to the next state.

        Returns: The last state; `initial_state`, as tensors, if there are no elements.
        Raises: TypeError if the next state has another structure.

        >>> import numpy as np
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
            before, state = state, run(state, element)
            if not isinstance(state, Tensor) or not isinstance(before, Tensor):
                _require_state(reduce_func, before, state)
        return state

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

    @classmethod
    def _made(cls, variant_tensor: Tensor, element_spec: object) -> Self:
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


def _number(name: str, value: object) -> int:
    """Return a positive number of elements or calls; the usual one for AUTOTUNE."""
    number = static_int(name, value)
    if number == AUTOTUNE:
        return AHEAD
    require_positive(name, number)
    return number


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


def _require_state(function: Callable[..., Any], before: object, state: object) -> None:
    """Raise TypeError if a function returns no state of the structure of the one before."""
    try:
        nest.assert_same_structure(before, state)
    except (TypeError, ValueError):
        pass
    else:
        if state is not None:
            return
    label = getattr(function, "__name__", "the function")
    raise TypeError(
        f"reduce: {label} returns {state!r} for the state {before!r}. Return a state of the same "
        "structure."
    )
