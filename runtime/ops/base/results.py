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
