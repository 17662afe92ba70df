"""Along which axes a gradient has to be summed, after two shapes met by broadcasting."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.opdef import INDEX, sample
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor
from runtime.ops.base.aliases import Array, Namespace
from runtime.ops.base.define import define_op


def _axes(s0: Tensor, s1: Tensor) -> tuple[TensorSpec, TensorSpec]:
    spec = spec_of(s0.spec.dtype, (None,))
    return spec, spec


def _broadcast_axes(xp: Namespace, s0: Array, s1: Array) -> tuple[Any, Any]:
    rank = max(len(s0), len(s1))
    padded = [[1] * (rank - len(dims)) + [int(dim) for dim in dims] for dims in (s0, s1)]
    joint = [max(pair) if 0 not in pair else 0 for pair in zip(*padded, strict=True)]
    for pair in zip(*padded, strict=True):
        if 1 not in pair and pair[0] != pair[1]:
            raise ValueError(f"Incompatible shapes: {list(s0)} vs. {list(s1)}")
    both = [one == other == 1 for one, other in zip(*padded, strict=True)]
    found = [
        [axis for axis in range(rank) if dims[axis] != joint[axis] or both[axis]] for dims in padded
    ]
    return tuple(xp.array(axes, dtype=s0.dtype) for axes in found)


BROADCAST_GRADIENT_ARGS = define_op(
    "BroadcastGradientArgs",
    {"s0": INDEX, "s1": INDEX},
    _axes,
    _broadcast_axes,
    outputs=2,
    samples=(
        sample(np.array([2, 3], np.int32), np.array([3], np.int32)),
        sample(np.array([2, 1], np.int64), np.array([1, 4], np.int64)),
    ),
)
