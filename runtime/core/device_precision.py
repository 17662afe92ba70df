"""How exactly devices may compute."""

from __future__ import annotations


class _Settings:
    tensor_float_32 = True


_SETTINGS = _Settings()


def enable_tensor_float_32_execution(enabled: bool) -> None:
    """Allows or forbids GPUs to round the factors of matrix products to ten binary places.

    It is a permission that nothing here makes use of: NumPy computes with all places, CuPy and JAX
    have settings of their own.

    >>> enable_tensor_float_32_execution(False)
    >>> tensor_float_32_execution_enabled()
    False
    >>> enable_tensor_float_32_execution(True)
    """
    _SETTINGS.tensor_float_32 = bool(enabled)


def tensor_float_32_execution_enabled() -> bool:
    """What `enable_tensor_float_32_execution` was last told; True at first.

    >>> tensor_float_32_execution_enabled()
    True
    """
    return _SETTINGS.tensor_float_32
