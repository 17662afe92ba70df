"""The time at which an operation runs."""

from __future__ import annotations

import time

from runtime.core import dtypes
from runtime.core.opdef import Effect, sample
from runtime.core.spec import spec_of
from runtime.core.tensor import Tensor
from runtime.ops.base.define import op


@op(
    "Timestamp",
    {},
    infer=lambda: spec_of(dtypes.float64, ()),
    kernel=lambda xp: xp.asarray(time.time()),
    effect=Effect.READ,
    samples=(sample(),),
)
def timestamp(name: str | None = None) -> Tensor:
    """Return the time at which the operation runs.

    Args:
      name: name for the operation.

    Returns:
      float64 scalar, seconds since 1970-01-01 00:00 UTC.

    >>> bool(timestamp() <= timestamp())
    True
    """
    return timestamp.op(name=name)
