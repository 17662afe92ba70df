"""Batches of the data that `fit`, `evaluate` and `predict` are given."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import runtime as tf
from runtime.keras.base.signature import is_numbers

Batch = tuple[Any, ...]
_PARTS = ("x", "y", "sample_weight")


@dataclass
class Batches:
    """Data in batches, epoch by epoch.

    `open` starts a pass through the data of `count` batches, None if that is unknown; there is one
    pass only if `once`. An epoch has `wanted` batches, None for a pass. Messages name `caller`.
    Batches of an `even` pass have one size.
    """

    open: Callable[[], Iterator[Batch]]
    count: int | None
    wanted: int | None
    once: bool
    caller: str
    even: bool
    _rest: Iterator[Batch] = field(default_factory=lambda: iter(()))
    _known: int = 0

    @property
    def steps(self) -> int | None:
        """The number of batches in an epoch, if it is known."""
        return self.count if self.wanted is None else self.wanted

    def epoch(self) -> Iterator[Batch]:
        """Iterate over the batches of one epoch. Raises ValueError if there are none."""
        taken = 0
        batch = next(self._rest, None)
        if batch is None and not (self.once and self._known):  # The pass ended: another begins.
            self._rest = self.open()
            batch = next(self._rest, None)
        while batch is not None:
            taken += 1
            yield batch
            if taken == self.wanted:
                break
            batch = next(self._rest, None)
        self._known += taken
        if self.wanted is None and not self.once:
            self._rest, self.count = iter(()), taken
        if not self._known:
            raise ValueError(
                f"`{self.caller}` received no data: the dataset, generator or array is empty."
            )
        if taken < (self.wanted or 1):
            wanted = "" if self.wanted is None else f" of {self.wanted}"
            warnings.warn(
                f"The data of `{self.caller}` ended after {taken}{wanted} batches of an epoch. "
                "Give a generator that does not end, or a dataset with `.repeat()`.",
                stacklevel=2,
            )


def batches_of(
    x: Any,
    y: Any = None,
    sample_weight: Any = None,
    *,
    batch_size: int | None = None,
    shuffle: bool = False,
    steps: int | None = None,
    class_weight: Mapping[int, float] | None = None,
    float_dtype: str = "float32",
    caller: str = "fit",
) -> Batches:
    """Return the batches of arrays, a dataset or a generator: arguments of `Trainer.fit`.

    Floats get `float_dtype`, an epoch has `steps` batches, or as many as the data has or says by
    `len`; messages name `caller`.

    Raises: ValueError for arrays of different lengths, or labels beside a dataset; TypeError for
      data of another type.
    """
    if x is None:
        raise ValueError(f"`{caller}` received no `x`.")
    for name, given in (("batch_size", batch_size), ("steps", steps)):
        if given is not None and not (hasattr(given, "__index__") and int(given) > 0):
            name = "steps_per_epoch" if (name, caller) == ("steps", "fit") else name
            raise ValueError(f"`{name}` of `{caller}` is a positive integer, not {given!r}.")
    if class_weight is not None and sample_weight is not None:
        raise ValueError("You cannot pass `class_weight` and `sample_weight` at the same time.")
    weigh = _weigher(class_weight)
    is_stream = isinstance(x, Iterable) and not (
        isinstance(x, (list, tuple, dict, str)) or hasattr(x, "__array__")
    )
    if is_stream:
        if y is not None or sample_weight is not None:
            raise ValueError(
                f"`{'sample_weight' if y is None else 'y'}` of `{caller}` must be None if `x` is a "
                f"{type(x).__name__}: its elements are tuples (x, y) or (x, y, sample_weight)."
            )
        return _stream(x, steps, weigh, caller)
    if sample_weight is not None and y is None:
        raise ValueError(f"`{caller}` received `sample_weight` without `y`.")
    data = _arrays((_unwrapped(x), _unwrapped(y), sample_weight), float_dtype, caller)
    length, size = _length_of(data, caller), batch_size or 32

    def open() -> Iterator[Batch]:
        order = _permutation(length) if shuffle else None
        for start in range(0, length, size):
            rows: Any = slice(start, start + size)
            yield weigh(_take(data, rows if order is None else order[rows]))

    return Batches(open, math.ceil(length / size), steps, False, caller, length % size == 0)


def _unwrapped(data: Any) -> Any:
    """Return the array of a list of one array."""
    is_one = isinstance(data, (list, tuple)) and len(data) == 1 and hasattr(data[0], "__array__")
    return data[0] if is_one else data


def _arrays(parts: Iterable[Any], float_dtype: str | None, caller: str) -> Batch:
    return tuple(_as_arrays(part, float_dtype, caller) for part in parts if part is not None)


def _as_arrays(data: object, float_dtype: str | None, caller: str) -> Any:
    """Return a structure of arrays, tensors or nested lists of numbers as NumPy arrays.

    Floats get a dtype, if it is not None. Raises: TypeError for another type.
    """
    if isinstance(data, dict):
        return {key: _as_arrays(value, float_dtype, caller) for key, value in data.items()}
    if isinstance(data, (list, tuple)) and not is_numbers(data):
        items = [_as_arrays(each, float_dtype, caller) for each in data]
        return type(data)(*items) if hasattr(data, "_fields") else type(data)(items)
    if not (isinstance(data, (list, tuple)) or hasattr(data, "__array__")):
        raise TypeError(
            f"`{caller}` cannot read data of type {type(data).__name__}: {data!r}. Give NumPy "
            "arrays, tensors, lists or dicts of them, a `tf.data.Dataset` or a generator."
        )
    try:
        array = np.asarray(data)
    except ValueError as error:
        raise ValueError(
            f"`{caller}` received lists of different lengths. Give all one length, for instance by "
            "`keras.utils.pad_sequences`."
        ) from error
    is_float = float_dtype and array.dtype.kind == "f"
    return array.astype(float_dtype, copy=False) if is_float else array


def _length_of(data: Batch, caller: str) -> int:
    """Return the number of samples of arrays. Raises ValueError if they differ, or are scalars."""
    lengths = {array.shape[0] if array.ndim else None for array in tf.nest.flatten(data)}
    if len(lengths) > 1 or lengths == {None}:
        shapes = ", ".join(
            f"{name} has shape {', '.join(str(array.shape) for array in tf.nest.flatten(part))}"
            for name, part in zip(_PARTS, data, strict=False)
        )
        raise ValueError(
            f"Data cardinality is ambiguous. All arrays of `{caller}` need the same number of "
            f"samples: {shapes}."
        )
    return int(lengths.pop() or 0)


def _take(data: Any, rows: Any) -> Any:
    """Return rows of all arrays of a structure as tensors."""
    return tf.nest.map_structure(lambda array: tf.convert_to_tensor(array[rows]), data)


def _permutation(length: int) -> Any:
    seed: Any = tf.random.uniform((), 0, 2**31 - 1, tf.int32)
    return np.random.default_rng(int(seed.numpy())).permutation(length)


def _stream(x: Any, steps: int | None, weigh: Callable[[Batch], Batch], caller: str) -> Batches:
    is_dataset, count, even = isinstance(x, tf.data.Dataset), None, False
    if is_dataset:
        sizes = {
            spec.shape[0] if spec.shape.rank else None for spec in tf.nest.flatten(x.element_spec)
        }
        even = None not in sizes
        cardinality: Any = x.cardinality()
        count = int(cardinality) if int(cardinality) >= 0 else None
        if int(cardinality) == tf.data.INFINITE_CARDINALITY and steps is None:
            raise ValueError(
                f"The dataset of `{caller}` does not end. Pass `steps_per_epoch` or `steps`."
            )
    elif steps is None and hasattr(x, "__len__"):
        steps = len(x)

    def open() -> Iterator[Batch]:
        for element in x:
            batch = element if isinstance(element, tuple) else (element,)
            yield weigh(_checked(batch, caller))

    return Batches(open, count, steps, not is_dataset and iter(x) is x, caller, even)


def _checked(batch: Batch, caller: str) -> Batch:
    """Return a batch with tensors in place of arrays. Raises ValueError for a single sample."""
    if not 1 <= len(batch) <= 3:
        raise ValueError(
            f"The data of `{caller}` has elements of {len(batch)} parts. Expected (x,), (x, y) or "
            "(x, y, sample_weight)."
        )
    while len(batch) > 1 and batch[-1] is None:
        batch = batch[:-1]
    parts = tuple(part if part is None else tf.nest.map_structure(_tensor, part) for part in batch)
    for name, part in zip(_PARTS[:2], parts, strict=False):
        for tensor in tf.nest.flatten(part):
            if isinstance(tensor, tf.Tensor) and tensor.shape.rank == 0:
                raise ValueError(
                    f"`{caller}` received an element whose `{name}` is a scalar, not a batch. Call "
                    "`.batch(32)` on the dataset, or yield arrays with a first axis of samples."
                )
    return parts


def _tensor(value: object) -> Any:
    if isinstance(value, np.ndarray) and value.dtype == np.float64:
        value = value.astype(np.float32)
    return value if isinstance(value, tf.Tensor) else tf.convert_to_tensor(value)


def _weigher(class_weight: Mapping[int, float] | None) -> Callable[[Batch], Batch]:
    """Return a function that adds weights of samples to a batch."""
    if class_weight is None:
        return lambda batch: batch
    is_by_class = isinstance(class_weight, Mapping) and all(
        isinstance(label, (int, np.integer)) for label in class_weight
    )
    if not is_by_class:
        raise TypeError(f"`class_weight` is a dict of weights by class, not {class_weight!r}.")
    known = np.vectorize(lambda label: class_weight.get(int(label), 1.0), otypes=[np.float32])

    def weigh(batch: Batch) -> Batch:
        x, y, own = (*batch, None, None)[:3]
        if own is not None or not isinstance(y, tf.Tensor):
            raise ValueError(
                "`class_weight` is for labels of one output, without weights in the data."
            )
        labels = np.asarray(y)
        if labels.ndim > 1:
            labels = labels.argmax(-1) if labels.shape[-1] > 1 else labels[..., 0]
        return x, y, tf.convert_to_tensor(known(labels))

    return weigh


def split(x: Any, y: Any, sample_weight: Any, fraction: float) -> tuple[Any, Any]:
    """Split the arrays of `fit` in two, the last of `fraction` of the samples.

    Raises: ValueError for something else than arrays, or if one part is empty.
    """
    for leaf in tf.nest.flatten(x):
        if not (hasattr(leaf, "__array__") or isinstance(leaf, (int, float))):
            raise ValueError(
                "Argument `validation_split` is only supported for tensors or NumPy arrays. "
                f"`x` is a {type(x).__name__}: split it with `take` and `skip`, and pass "
                "`validation_data`."
            )
    data = _arrays((x, y, sample_weight), None, "fit")
    length = _length_of(data, "fit")
    at = math.floor(length * (1 - fraction))
    if not 0 < at < length:
        raise ValueError(
            f"Training data contains {length} samples, which is not sufficient to split it into a "
            f"validation and training set as specified by `validation_split={fraction}`."
        )
    first = tf.nest.map_structure(lambda array: array[:at], data)
    return first, tf.nest.map_structure(lambda array: array[at:], data)
