"""Dtype policies: in which dtype a layer computes and holds its variables."""

from __future__ import annotations

from typing import Any

import runtime as tf


class DTypePolicy:
    """A pair of dtypes: of computation, and of variables.

    Args:
      name: a dtype, for both, or `mixed_float16` or `mixed_bfloat16`: variables in float32,
        computation in 16 bits.

    Raises: ValueError for another name.

    >>> policy = DTypePolicy("mixed_float16")
    >>> policy.compute_dtype, policy.variable_dtype
    ('float16', 'float32')
    """

    def __init__(self, name: Any = None) -> None:
        text = name if isinstance(name, str) else tf.as_dtype(name or "float32").name
        mixed = text.removeprefix("mixed_")
        if text != mixed and mixed not in ("float16", "bfloat16"):
            raise ValueError(
                f"Cannot convert '{text}' to a mixed precision DTypePolicy. Valid policies include "
                "'mixed_float16', 'mixed_bfloat16', and the name of a dtype such as 'float32'."
            )
        try:
            self.compute_dtype: str = tf.as_dtype(mixed).name
        except TypeError as error:
            raise ValueError(f"Cannot interpret '{text}' as a dtype policy.") from error
        self.name: str = text if text != mixed else self.compute_dtype
        self.variable_dtype: str = "float32" if text != mixed else self.compute_dtype

    def get_config(self) -> dict[str, Any]:
        """Return the argument of the constructor."""
        return {"name": self.name}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> DTypePolicy:
        """Create the policy from `get_config`."""
        return cls(**config)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DTypePolicy) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f'<DTypePolicy "{self.name}">'


_global: list[DTypePolicy] = [DTypePolicy("float32")]


def set_global_policy(policy: object) -> None:
    """Set the policy of layers that are given none.

    Args:
      policy: a `DTypePolicy` or its name.

    >>> set_global_policy("float32")
    """
    _global[0] = as_policy(policy)


def as_policy(identifier: object) -> DTypePolicy:
    """Return the policy that an argument `dtype` means; None: the global one."""
    if identifier is None:
        return _global[0]
    if isinstance(identifier, DTypePolicy):
        return identifier
    if isinstance(identifier, dict):
        return DTypePolicy.from_config(identifier["config"])
    return DTypePolicy(identifier)
