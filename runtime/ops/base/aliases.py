"""Names of types that the signatures of kernels, shape rules and public functions share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Array = Any
"""An array of the namespace that the kernel gets as `xp`: NumPy's, or one that behaves alike."""

Namespace = Any
"""The functions of an array library: `numpy`, or a module with the same names."""

Attrs = Mapping[str, Any]
"""The attributes of an op type, by name."""

Ints = int | Sequence[int] | None
"""One integer for all axes, or one for each; None is the default that the function documents."""
