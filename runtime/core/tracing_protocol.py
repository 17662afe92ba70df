"""The tracing protocol: how classes of programs define which objects share a graph."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable


class TracingContext:
    """The argument of `__tf_tracing_type__`; it has no public attributes."""


class TraceType(ABC):
    """The type of an object as an argument of a `function`.

    An object whose class has a method `__tf_tracing_type__(context)`, which returns its type,
    shares a graph with the objects of equal types. Objects without it count by identity.

    >>> import runtime as tf
    >>> class OfSize(tf.types.experimental.TraceType):
    ...     def __init__(self, box):
    ...         self.box = box
    ...     def is_subtype_of(self, other):
    ...         return self == other
    ...     def most_specific_common_supertype(self, others):
    ...         return self if all(self == other for other in others) else None
    ...     def placeholder_value(self, placeholder_context=None):
    ...         return self.box
    ...     def __eq__(self, other):
    ...         return isinstance(other, OfSize) and other.box.size == self.box.size
    ...     def __hash__(self):
    ...         return hash(self.box.size)
    >>> class Box:
    ...     def __init__(self, size):
    ...         self.size = size
    ...     def __tf_tracing_type__(self, context):
    ...         return OfSize(self)
    >>> doubled = tf.function(lambda box: box.size * 2)
    >>> [int(doubled(Box(size))) for size in (1, 1, 2)]
    [2, 2, 4]
    >>> doubled.experimental_get_tracing_count()
    2
    """

    @abstractmethod
    def is_subtype_of(self, other: TraceType) -> bool:
        """Return whether a graph traced for `other` accepts this type."""

    @abstractmethod
    def most_specific_common_supertype(self, others: Sequence[TraceType]) -> TraceType | None:
        """Return the narrowest common supertype of all types, or None."""

    @abstractmethod
    def placeholder_value(self, placeholder_context: object = None) -> Any:
        """Return the object that the function receives during tracing."""

    @abstractmethod
    def __hash__(self) -> int: ...

    @abstractmethod
    def __eq__(self, other: object) -> bool: ...


@runtime_checkable
class SupportsTracingProtocol(Protocol):
    """A class whose objects have a `TraceType`.

    >>> class Box:
    ...     def __tf_tracing_type__(self, context):
    ...         raise NotImplementedError
    >>> isinstance(Box(), SupportsTracingProtocol), isinstance(7, SupportsTracingProtocol)
    (True, False)
    """

    @abstractmethod
    def __tf_tracing_type__(self, context: TracingContext) -> TraceType:
        """Return the trace type of this object."""
