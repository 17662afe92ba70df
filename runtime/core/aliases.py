"""Names of types that the signatures of kernels, shape rules and public functions share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Array = Any
"""An array of the namespace `xp` of a kernel: NumPy's, or one with the same operators."""

Namespace = Any
"""The functions of an array library: `numpy`, or a module with the same names."""

Ints = int | Sequence[int] | None
"""One integer for all axes, or one for each; None is the default that the function documents."""

Axes = tuple[int, ...] | None
"""Axes as attributes of op types; None: all."""

AxisLike = Any
"""An axis or several: an int, a list or tuple of ints, or an integer tensor of known value."""

DTypeLike = Any
"""Anything that `as_dtype` takes: a `DType`, its name, or a type of NumPy or Python."""

ShapeLike = Any
"""A shape: a list or tuple of ints, a `TensorShape`, an int, or an integer tensor."""
