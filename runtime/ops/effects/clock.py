"""The time at which an operation runs."""

from __future__ import annotations

import time
from typing import Any

from runtime.core import dtypes
from runtime.core.opdef import Effect, sample
from runtime.core.spec import spec_of
from runtime.core.tensor import Tensor
from runtime.ops.base.define import define_op


def _now(xp: Any) -> Any:
    return xp.asarray(time.time())


_TIMESTAMP = define_op(
    "Timestamp",
    {},
    lambda: spec_of(dtypes.float64, ()),
    _now,
    effect=Effect.READ,
    samples=(sample(),),
)


def timestamp(name: str | None = None) -> Tensor:
    """The seconds since the beginning of 1970, when the operation runs.

    Args:
      name: the name of the operation.

    Returns: float64 of shape [].

    >>> bool(timestamp() <= timestamp())
    True
    """
    return _TIMESTAMP(name=name)
