"""`runtime.types`: types for annotations and `isinstance`."""

from runtime import types_experimental as experimental

__all__ = ["experimental"]
