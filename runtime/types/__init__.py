"""`runtime.types`: types for annotations and `isinstance`."""

from runtime.types import experimental

__all__ = ["experimental"]
