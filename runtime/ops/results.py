"""Results that have several named parts."""

from __future__ import annotations

from typing import NamedTuple

from runtime.core.tensor import Tensor


class TopKV2(NamedTuple):
    """What `top_k` gives."""

    values: Tensor
    indices: Tensor


class LogMatrixDeterminant(NamedTuple):
    """What `slogdet` gives."""

    sign: Tensor
    log_abs_determinant: Tensor


class Qr(NamedTuple):
    """What `qr` gives."""

    q: Tensor
    r: Tensor


class Lu(NamedTuple):
    """What `lu` gives."""

    lu: Tensor
    p: Tensor


class ApproxTopK(NamedTuple):
    """What `approx_top_k` gives."""

    values: Tensor
    indices: Tensor


class ListDiff(NamedTuple):
    """What `setdiff1d` gives."""

    out: Tensor
    idx: Tensor


class _Candidates(NamedTuple):
    sampled_candidates: Tensor
    true_expected_count: Tensor
    sampled_expected_count: Tensor


class UniformCandidateSampler(_Candidates):
    """What `uniform_candidate_sampler` gives."""


class LogUniformCandidateSampler(_Candidates):
    """What `log_uniform_candidate_sampler` gives."""


class LearnedUnigramCandidateSampler(_Candidates):
    """What `learned_unigram_candidate_sampler` gives."""


class FixedUnigramCandidateSampler(_Candidates):
    """What `fixed_unigram_candidate_sampler` gives."""


class AllCandidateSampler(_Candidates):
    """What `all_candidate_sampler` gives."""


class ComputeAccidentalHits(NamedTuple):
    """What `compute_accidental_hits` gives."""

    indices: Tensor
    ids: Tensor
    weights: Tensor


class FractionalMaxPool(NamedTuple):
    """What `fractional_max_pool` gives."""

    output: Tensor
    row_pooling_sequence: Tensor
    col_pooling_sequence: Tensor


class FractionalAvgPool(NamedTuple):
    """What `fractional_avg_pool` gives."""

    output: Tensor
    row_pooling_sequence: Tensor
    col_pooling_sequence: Tensor
