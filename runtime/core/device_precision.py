"""Permission for reduced precision on devices."""

from __future__ import annotations


class _Settings:
    tensor_float_32 = True


_SETTINGS = _Settings()


def enable_tensor_float_32_execution(enabled: bool) -> None:
    """Allow or forbid TensorFloat-32 (a 10-bit mantissa) in matrix products on GPUs.

    The setting has no effect here: NumPy uses full precision, CuPy and JAX have their own settings.

    Args:
      enabled: whether TensorFloat-32 is allowed.

    >>> enable_tensor_float_32_execution(False)
    >>> tensor_float_32_execution_enabled()
    False
    >>> enable_tensor_float_32_execution(True)
    """
    _SETTINGS.tensor_float_32 = bool(enabled)


def tensor_float_32_execution_enabled() -> bool:
    """Return the last argument of `enable_tensor_float_32_execution`; True initially.

    >>> tensor_float_32_execution_enabled()
    True
    """
    return _SETTINGS.tensor_float_32
