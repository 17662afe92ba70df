"""Classes drawn so that few of many stand for all that are wrong."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from runtime.core import dtypes
from runtime.core.errors import InvalidArgumentError
from runtime.core.opdef import DTypes, Effect, sample
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops import distributions
from runtime.ops.arguments import static_int
from runtime.ops.convert import convert_to_tensor
from runtime.ops.define import Op, define_op
from runtime.ops.philox import Stream, unit_float64
from runtime.ops.results import (
    AllCandidateSampler,
    ComputeAccidentalHits,
    FixedUnigramCandidateSampler,
    LearnedUnigramCandidateSampler,
    LogUniformCandidateSampler,
    UniformCandidateSampler,
)
from runtime.ops.seeds import Draws, new_draws, operation_seeds, shared_draws

_LONG = DTypes("int64", dtypes.int64)
_LEAST = float(np.finfo(np.float32).min)


class _Chances(NamedTuple):
    """How classes are drawn: from numbers between 0 and 1, and how likely each is."""

    classes: Callable[[Any], Any]
    chance: Callable[[Any], Any]


def _uniform(range_max: int) -> _Chances:
    return _Chances(
        lambda units: np.floor(units * range_max).astype(np.int64),
        lambda classes: np.full(np.shape(classes), 1.0 / range_max),
    )


def _log_uniform(range_max: int) -> _Chances:
    scale = np.log1p(range_max)

    def draw(units: Any) -> Any:
        return np.minimum(np.floor(np.exp(units * scale)).astype(np.int64) - 1, range_max - 1)

    return _Chances(draw, lambda classes: np.log1p(1.0 / (classes + 1.0)) / scale)


def _weighted(weights: Any) -> _Chances:
    sums = np.cumsum(np.asarray(weights, np.float64))

    def draw(units: Any) -> Any:
        return np.searchsorted(sums, units * sums[-1], side="right").astype(np.int64)

    return _Chances(draw, lambda classes: np.asarray(weights, np.float64)[classes] / sums[-1])


def _drawn(chances: _Chances, stream: Stream, count: int, unique: bool) -> tuple[Any, int]:
    """Classes, and how many had to be drawn until there were as many."""
    if not unique:
        return chances.classes(unit_float64(stream.first(2 * count))), count
    found: dict[int, None] = {}
    size, tries = max(count, 64), 0
    while True:
        for drawn in chances.classes(unit_float64(stream.first(2 * size))).tolist():
            if len(found) == count:
                return np.array(list(found), np.int64), tries
            tries += 1
            found.setdefault(drawn)
        stream = stream.skipped(-(-2 * size // 4))


def _expected(chances: _Chances, classes: Any, count: int, tries: int) -> Any:
    """How often classes are expected among those that were drawn."""
    chance = chances.chance(classes)
    if tries == count:
        return (chance * count).astype(np.float32)
    return -np.expm1(tries * np.log1p(-chance)).astype(np.float32)


def _check(true_classes: Any, num_true: int, range_max: int) -> None:
    if true_classes.ndim != 2:
        raise ValueError("true_classes must be a matrix")
    if true_classes.shape[1] != num_true:
        raise ValueError(
            "true_classes must have num_true columns, expected: "
            f"{true_classes.shape[1]} was: {num_true}"
        )
    wrong = true_classes[(true_classes < 0) | (true_classes >= range_max)]
    if wrong.size:
        raise ValueError(f"`true_candidate` out of range [0, {range_max}), received {wrong[0]}")


def _sampled(
    chances: _Chances, stream: Stream, true_classes: Any, num_sampled: int, unique: bool
) -> tuple[Any, Any, Any]:
    classes, tries = _drawn(chances, stream, num_sampled, unique)
    return (
        classes,
        _expected(chances, true_classes, num_sampled, tries),
        _expected(chances, classes, num_sampled, tries),
    )


def _spec(true_classes: Tensor, num_true: int, num_sampled: int, **attrs: Any) -> Any:
    dims = true_classes.spec.dims
    if dims is not None and len(dims) != 2:
        raise ValueError("true_classes must be a matrix")
    one: TensorSpec = spec_of(dtypes.float32, (num_sampled,))
    rows = None if dims is None else dims[0]
    return one.with_dtype(dtypes.int64), one.with_dims((rows, num_true)), one


def _sampler(name: str, chances: Callable[..., _Chances], **more: Any) -> Op:
    """The op of a sampler; `chances` gets the count of the op, the true classes and attributes."""

    def kernel(
        xp: Any,
        true_classes: Any,
        num_true: int,
        num_sampled: int,
        unique: bool,
        seed: int,
        seed2: int,
        source: Draws | None = None,
        **attrs: Any,
    ) -> tuple[Any, Any, Any]:
        kind = f"{name} {num_sampled} {unique} {sorted(attrs.items())}"
        draws = shared_draws(kind, (seed, seed2)) if source is None else source
        stream = draws.reserve(num_sampled * distributions.RESERVED)
        made = chances(draws, true_classes, **attrs)
        range_max = attrs["range_max"]
        _check(true_classes, num_true, range_max)
        if unique and num_sampled > range_max:
            raise ValueError("Sampler's range is too small.")
        result = _sampled(made, stream, true_classes, num_sampled, unique)
        _learn(draws, true_classes)
        return result

    return define_op(
        name,
        {"true_classes": _LONG},
        _spec,
        kernel,
        outputs=3,
        effect=Effect.WRITE,
        samples=(
            sample(
                np.array([[1, 2], [0, 3]]),
                num_true=2,
                num_sampled=3,
                unique=True,
                range_max=4,
                seed=1,
                seed2=2,
                **more,
            ),
        ),
    )


_LEARNED: weakref.WeakKeyDictionary[Draws, Any] = weakref.WeakKeyDictionary()
"""How often each class was a true one, once more than that, for each sampler that learns."""


def _learned(draws: Draws, true_classes: Any, range_max: int) -> _Chances:
    return _weighted(_LEARNED.setdefault(draws, np.ones(range_max)).copy())


def _learn(draws: Draws, true_classes: Any) -> None:
    counts = _LEARNED.get(draws)
    if counts is not None:
        np.add.at(counts, true_classes.ravel(), 1.0)


def _weights(
    vocab_file: str,
    distortion: float,
    num_reserved_ids: int,
    num_shards: int,
    shard: int,
    unigrams: Sequence[float],
) -> Any:
    """The weights of classes, those of this shard."""
    if vocab_file and unigrams:
        raise ValueError("Must only provide one of vocab_file and unigrams.")
    if not vocab_file and not unigrams:
        raise ValueError("Must provide either vocab_file or unigrams.")
    counts = list(unigrams)
    if vocab_file:
        lines = Path(vocab_file).read_text().splitlines()
        counts = [float(line.rsplit(",", 1)[-1]) for line in lines if line]
    weights = [0.0] * num_reserved_ids + [float(count) ** distortion for count in counts]
    return np.array(weights[shard::num_shards])


def _fixed(draws: Draws, true_classes: Any, range_max: int, **attrs: Any) -> _Chances:
    weights = _weights(**attrs)
    if len(weights) != range_max:
        raise ValueError(f"range is {range_max} must be equal to weights size  {len(weights)}")
    return _weighted(weights)


_UNIFORM = _sampler("UniformCandidateSampler", lambda _, true, range_max: _uniform(range_max))
_LOG = _sampler("LogUniformCandidateSampler", lambda _, true, range_max: _log_uniform(range_max))
_LEARNING = _sampler("LearnedUnigramCandidateSampler", _learned)
_FIXED = _sampler(
    "FixedUnigramCandidateSampler",
    _fixed,
    vocab_file="",
    distortion=1.0,
    num_reserved_ids=0,
    num_shards=1,
    shard=0,
    unigrams=(1.0, 2.0, 3.0, 4.0),
)


def _every(
    xp: Any, true_classes: Any, num_true: int, num_sampled: int, **attrs: Any
) -> tuple[Any, Any, Any]:
    _check(true_classes, num_true, num_sampled)
    ones = xp.ones(num_sampled, np.float32)
    return xp.arange(num_sampled, dtype=np.int64), xp.ones(true_classes.shape, np.float32), ones


_ALL = define_op(
    "AllCandidateSampler",
    {"true_classes": _LONG},
    _spec,
    _every,
    outputs=3,
    samples=(sample(np.array([[1, 2]]), num_true=2, num_sampled=3, unique=True, seed=1, seed2=2),),
)


def _outputs(
    op: Op,
    true_classes: TensorLike,
    num_true: Any,
    num_sampled: Any,
    unique: Any,
    seed: int | None,
    name: str | None,
    **attrs: Any,
) -> tuple[Tensor, ...]:
    counts = {"num_true": static_int("num_true", num_true)}
    counts["num_sampled"] = static_int("num_sampled", num_sampled)
    if "range_max" in attrs:
        counts["range_max"] = static_int("range_max", attrs.pop("range_max"))
    for what, count in counts.items():
        if count < 1:
            raise InvalidArgumentError(
                None, None, f"Value for attr '{what}' of {count} must be at least minimum 1"
            )
    seeds = operation_seeds(seed)
    source = None if op is _ALL else new_draws(seeds)
    if source is not None:
        attrs["source"] = source
    true = convert_to_tensor(true_classes, dtype_hint=dtypes.int64)
    attrs = {**counts, "unique": bool(unique), "seed": seeds[0], "seed2": seeds[1], **attrs}
    return op.outputs(true, name=name, **attrs)


def uniform_candidate_sampler(
    true_classes: TensorLike,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    seed: int | None = None,
    name: str | None = None,
) -> UniformCandidateSampler:
    """Classes of which each is equally likely.

    Args:
      true_classes: int64 [batch, num_true], the classes that are right.
      num_true: how many are right for each example.
      num_sampled: how many to draw.
      unique: whether no class comes twice.
      range_max: how many classes there are.
      seed: together with `set_seed` it decides what is drawn.
      name: the name of the operation.

    Returns: `sampled_candidates`, int64 [num_sampled]; and how often the true ones, and those that
      were drawn, are expected among them: `true_expected_count`, float32 [batch, num_true], and
      `sampled_expected_count`, float32 [num_sampled].
    Raises: InvalidArgumentError if the numbers do not fit.

    >>> uniform_candidate_sampler([[1]], 1, 3, False, 4).true_expected_count.numpy().tolist()
    [[0.75]]
    """
    parts = _outputs(
        _UNIFORM, true_classes, num_true, num_sampled, unique, seed, name, range_max=range_max
    )
    return UniformCandidateSampler(*parts)


def log_uniform_candidate_sampler(
    true_classes: TensorLike,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    seed: int | None = None,
    name: str | None = None,
) -> LogUniformCandidateSampler:
    """Classes of which the first are the likeliest, as words are that are sorted by frequency.

    The chance of class c is in proportion to `log((c + 2) / (c + 1))`. Arguments and result as in
    `uniform_candidate_sampler`.

    >>> log_uniform_candidate_sampler([[0]], 1, 3, True, 3).sampled_candidates.shape
    TensorShape([3])
    """
    parts = _outputs(
        _LOG, true_classes, num_true, num_sampled, unique, seed, name, range_max=range_max
    )
    return LogUniformCandidateSampler(*parts)


def learned_unigram_candidate_sampler(
    true_classes: TensorLike,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    seed: int | None = None,
    name: str | None = None,
) -> LearnedUnigramCandidateSampler:
    """Classes as frequent as they were among the true ones of earlier calls, of each one more.

    Arguments and result as in `uniform_candidate_sampler`.

    >>> learned_unigram_candidate_sampler([[0]], 1, 3, True, 3).sampled_candidates.shape
    TensorShape([3])
    """
    parts = _outputs(
        _LEARNING, true_classes, num_true, num_sampled, unique, seed, name, range_max=range_max
    )
    return LearnedUnigramCandidateSampler(*parts)


def fixed_unigram_candidate_sampler(
    true_classes: TensorLike,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    vocab_file: str = "",
    distortion: float = 1.0,
    num_reserved_ids: int = 0,
    num_shards: int = 1,
    shard: int = 0,
    unigrams: Sequence[float] = (),
    seed: int | None = None,
    name: str | None = None,
) -> FixedUnigramCandidateSampler:
    """Classes that are as frequent as a list or file says.

    Args:
      true_classes, num_true, num_sampled, unique, range_max, seed, name: as in
        `uniform_candidate_sampler`.
      vocab_file: a file with a line for each class that ends with its count, behind a comma.
      distortion: the power to which counts are raised.
      num_reserved_ids: how many classes stand before these and are never drawn.
      num_shards, shard: takes every `num_shards`-th of the classes, from number `shard` on.
      unigrams: the counts, in place of a file.

    Returns: as in `uniform_candidate_sampler`.
    Raises: InvalidArgumentError if there is neither a file nor counts, or both, or if there are not
      `range_max` of them.

    >>> drawn = fixed_unigram_candidate_sampler([[0]], 1, 2, False, 2, unigrams=[1.0, 3.0])
    >>> drawn.true_expected_count.numpy().tolist()
    [[0.5]]
    """
    parts = _outputs(
        _FIXED,
        true_classes,
        num_true,
        num_sampled,
        unique,
        seed,
        name,
        range_max=range_max,
        vocab_file=str(vocab_file),
        distortion=float(distortion),
        num_reserved_ids=int(num_reserved_ids),
        num_shards=int(num_shards),
        shard=int(shard),
        unigrams=tuple(float(count) for count in unigrams),
    )
    return FixedUnigramCandidateSampler(*parts)


def all_candidate_sampler(
    true_classes: TensorLike,
    num_true: int,
    num_sampled: int,
    unique: bool,
    seed: int | None = None,
    name: str | None = None,
) -> AllCandidateSampler:
    """Every class once; `num_sampled` is how many there are, otherwise as other samplers.

    >>> print(all_candidate_sampler([[0]], 1, 3, True).sampled_candidates)
    tf.Tensor([0 1 2], shape=(3,), dtype=int64)
    """
    return AllCandidateSampler(
        *_outputs(_ALL, true_classes, num_true, num_sampled, unique, seed, name)
    )


def _hits(xp: Any, true_classes: Any, sampled: Any, num_true: int, **attrs: Any) -> Any:
    if true_classes.ndim != 2 or true_classes.shape[1] != num_true:
        raise ValueError("true_candidates must be a batch_size * num_true matrix")
    if sampled.ndim != 1:
        raise ValueError("sampled_candidates must be a vector, which is typically an output from "
                         "CandidateSampler")  # fmt: skip
    places = {candidate: at for at, candidate in enumerate(sampled.tolist())}
    found = [
        (row, places[true])
        for row, classes in enumerate(true_classes.tolist())
        for true in classes
        if true in places
    ]
    rows, ids = np.array(found, np.int64).reshape(-1, 2).T
    return rows.astype(np.int32), ids, np.full(len(found), _LEAST, np.float32)


def _hits_spec(*inputs: Tensor, **attrs: Any) -> tuple[TensorSpec, ...]:
    return tuple(spec_of(d, (None,)) for d in (dtypes.int32, dtypes.int64, dtypes.float32))


_HITS = define_op(
    "ComputeAccidentalHits",
    {"true_classes": _LONG, "sampled_candidates": _LONG},
    _hits_spec,
    _hits,
    outputs=3,
    samples=(sample(np.array([[1, 4], [0, 7]]), np.array([0, 4, 7]), num_true=2, seed=0, seed2=0),),
)


def compute_accidental_hits(
    true_classes: TensorLike,
    sampled_candidates: TensorLike,
    num_true: int,
    seed: int | None = None,
    name: str | None = None,
) -> ComputeAccidentalHits:
    """Where classes that were drawn are true ones.

    Args:
      true_classes: int64 [batch, num_true].
      sampled_candidates: int64 [num_sampled], each once.
      num_true: how many are right for each example.
      seed: makes no difference.
      name: the name of the operation.

    Returns: `indices`, int32, the examples; `ids`, int64, the places among those that were drawn;
      `weights`, float32, the smallest number there is.

    >>> hits = compute_accidental_hits([[1], [5]], [3, 5], 1)
    >>> print(hits.indices, hits.ids)
    tf.Tensor([1], shape=(1,), dtype=int32) tf.Tensor([1], shape=(1,), dtype=int64)
    """
    true, drawn = (
        convert_to_tensor(value, dtype_hint=dtypes.int64)
        for value in (true_classes, sampled_candidates)
    )
    seeds = (0, 0) if seed is None else operation_seeds(seed)
    parts = _HITS.outputs(
        true, drawn, num_true=int(num_true), seed=seeds[0], seed2=seeds[1], name=name
    )
    return ComputeAccidentalHits(*parts)
