"""Ufuncs, of NumPy or of another package, that no other op type computes."""

from __future__ import annotations

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array, Namespace
from runtime.core.dtypes import DType
from runtime.core.opdef import EXACT, Failure, sample
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor
from runtime.ops.base import rules
from runtime.ops.base.define import define_op

_LOCAL = "it runs a function of a package, which a saved model does not contain"


def _spec(*values: Tensor, ufunc: np.ufunc, place: int, dtype: DType) -> TensorSpec:
    return rules.broadcasted(*values).with_dtype(dtype)


def _run(xp: Namespace, *values: Array, ufunc: np.ufunc, place: int, dtype: DType) -> Array:
    found = ufunc(*values)
    return found[place] if ufunc.nout > 1 else found


apply_ufunc = define_op(
    "NumPyUfunc",
    {"*values": EXACT},
    _spec,
    _run,
    failure=Failure.SHAPES,
    local=_LOCAL,
    samples=(
        sample([3.0, -2.0], [4.0, 0.5], ufunc=np.hypot, place=0, dtype=dtypes.float32),
        sample([1.5, -2.25], ufunc=np.modf, place=1, dtype=dtypes.float32),
        sample([3, 4], [[6], [9]], ufunc=np.gcd, place=0, dtype=dtypes.int32),
    ),
)
"""One result, the one at `place`, of a ufunc of operands of the dtypes of its loop."""

accumulate_ufunc = define_op(
    "NumPyAccumulate",
    {"x": EXACT},
    lambda x, ufunc, axis: x.spec,
    lambda xp, x, ufunc, axis: ufunc.accumulate(x, axis),
    failure=Failure.VALUES,
    local=_LOCAL,
    samples=(
        sample([3.0, 1.0, 4.0], ufunc=np.maximum, axis=0),
        sample([[3, 1], [2, 5]], ufunc=np.minimum, axis=1),
    ),
)
"""The results of a ufunc of two operands, so far, along an axis that `x` has."""
