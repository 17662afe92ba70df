"""A check of every number that a program computes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from runtime.core.dispatch import execute
from runtime.core.errors import InvalidArgumentError
from runtime.core.opdef import FLOAT, OpDef, lookup
from runtime.core.places import user_place
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import EagerTensor, Tensor
from runtime.core.thread import STATE

_CARRYING = frozenset(
    {
        "BroadcastTo", "CheckNumerics", "ConcatV2", "Const", "EnsureShape", "ExpandDims", "Fill",
        "GatherNd", "GatherV2", "Identity", "IdentityN", "MirrorPad", "OnesLike", "Pack", "PadV2",
        "Placeholder", "Reshape", "ReverseV2", "Roll", "SelectV2", "Slice", "SplitV", "Squeeze",
        "StopGradient", "StridedSlice", "Tile", "Transpose", "Unpack", "ZerosLike",
    }
)  # fmt: skip
"""Op types that only carry numbers on, so that an infinite one was there before."""


def enable_check_numerics(stack_height_limit: int = 30, path_length_limit: int = 50) -> None:
    """Makes an operation that gives an infinite number or NaN an error, in this thread.

    Functions that are traced while it is on check their numbers too, and go on doing so. Op types
    that only carry numbers on are not checked; in graphs complex numbers are not.

    Args:
      stack_height_limit, path_length_limit: have no effect: an error names one line.

    >>> import runtime as tf
    >>> tf.debugging.enable_check_numerics()
    >>> print(tf.math.log(1.0))
    tf.Tensor(0.0, shape=(), dtype=float32)
    >>> tf.debugging.disable_check_numerics()
    """
    disable_check_numerics()
    STATE.watches = (*STATE.watches, _checked)


def disable_check_numerics() -> None:
    """Ends what `enable_check_numerics` began in this thread.

    >>> import runtime as tf
    >>> tf.debugging.disable_check_numerics()
    >>> print(tf.math.log(0.0))
    tf.Tensor(-inf, shape=(), dtype=float32)
    """
    STATE.watches = tuple(watch for watch in STATE.watches if watch is not _checked)


def _checked(op: OpDef, inputs: Sequence[Tensor], outputs: Sequence[Tensor]) -> Iterator[Tensor]:
    for number, output in enumerate(outputs):
        if op.name in _CARRYING:
            yield output
        elif isinstance(output, EagerTensor):
            _require_finite(op, inputs, number, output, len(outputs))
            yield output
        elif output.dtype in FLOAT:
            yield _checked_in_graph(op, number, output, len(outputs))
        else:
            yield output


def _detected(op: OpDef, number: int, how: str, count: int) -> str:
    return (
        f'\n\n!!! Detected Infinity or NaN in output {number} of {how} op "{op.name}" '
        f"(# of outputs: {count}) !!!"
    )


def _require_finite(
    op: OpDef, inputs: Sequence[Tensor], number: int, output: EagerTensor, count: int
) -> None:
    dtype = output.dtype
    if not (dtype.is_floating or dtype.is_complex):
        return
    array: Any = np.asarray(output.array)
    if np.isfinite(array).all():
        return
    real = array.real if dtype.is_complex else array
    kinds = {
        "-Inf": np.isneginf(real), "+Inf": np.isposinf(real), "NaN": np.isnan(array),
    }  # fmt: skip
    found = {kind: int(np.count_nonzero(where)) for kind, where in kinds.items()}
    lines = [_detected(op, number, "eagerly-executing", count)]
    lines += [f"  dtype: {dtype!r}", f"  shape: {output.shape}"]
    lines += [f"  # of {kind} elements: {times}" for kind, times in found.items() if times]
    lines += ["", *(f"  Input tensor {at}: {x}" for at, x in enumerate(inputs))]
    named = " and ".join(kind.lstrip("+") for kind, times in found.items() if times) or "Inf"
    raise InvalidArgumentError(None, None, "\n".join([*lines, f"\n : Tensor had {named} values"]))


def _checked_in_graph(op: OpDef, number: int, output: Tensor, count: int) -> Tensor:
    place = user_place()
    made = f"\n  made at {place}" if place else ""
    message = f"{_detected(op, number, 'graph', count)}\n  shape: {output.shape}{made}\n"
    weak = isinstance(output, SymbolicTensor) and output.weak
    return execute(lookup("CheckNumerics"), (output,), {"message": message}, None, weak)[0]
