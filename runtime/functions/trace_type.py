"""Trace types: the part of an argument that selects the graph.

Tensors and variables count by dtype and shape, Python numbers and strings by value, structures by
their parts. Objects count by the type that their class defines (`TraceType`), otherwise by
identity.
"""

from __future__ import annotations

import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from types import BuiltinMethodType, MethodType, ModuleType
from typing import Any, Protocol, runtime_checkable

import numpy as np

from autograph.boundary import boundary
from autograph.reach.walk import raise_without_hash
from runtime.core import dtypes
from runtime.core.shapes import TensorShape, generalize
from runtime.core.spec import TensorSpec, spec_of, spec_of_array
from runtime.core.structure import Node, children, flatten
from runtime.core.tensor import Tensor
from runtime.ops.base.convert import convert_to_tensor
from runtime.state.variable_type import VariableArgument, VariableType


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
        """Return whether a graph traced for `other` accepts this type.

        Args:
          other: the type of another argument.
        """

    @abstractmethod
    def most_specific_common_supertype(self, others: Sequence[TraceType]) -> TraceType | None:
        """Return the narrowest common supertype of all types, or None.

        Args:
          others: the types of other arguments.
        """

    @abstractmethod
    def placeholder_value(self, placeholder_context: object = None) -> Any:
        """Return the object that the function receives during tracing.

        Args:
          placeholder_context: a `TracingContext`.
        """

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


_SCALARS = (bool, int, float, complex, str, bytes, type(None))
_BY_VALUE = (*_SCALARS, type(Ellipsis), range, slice, TensorShape)


@dataclass(frozen=True)
class Literal:
    """A Python value; `text` distinguishes equal values such as 0.0 and -0.0."""

    kind: type
    text: Hashable


class Identity:
    """An object, by weak reference if its class allows it.

    Each access `x.method` creates another object, so bound methods compare by function and
    instance.
    """

    __slots__ = ("_get", "_hash", "name")

    def __init__(self, held: object) -> None:
        # Python hashes a method by its function and the identity of the instance.
        self._hash = hash(held) if isinstance(held, _BOUND) else id(held)
        self.name = type(held).__name__
        try:
            self._get: Any = _reference(held)
        except TypeError:
            self._get = lambda: held

    def __eq__(self, other: object) -> bool:
        """Return whether both refer to the same object, and it still exists."""
        if not isinstance(other, Identity):
            return NotImplemented
        held, own = self._get(), other._get()
        # Equal methods have the same function and instance.
        return held is not None and (held is own or (isinstance(held, _BOUND) and held == own))

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"<{self.name} object>"

    @property
    def is_alive(self) -> bool:
        """Return whether the object still exists."""
        return self._get() is not None


_BOUND = (MethodType, BuiltinMethodType)


def _reference(held: object) -> Callable[[], Any]:
    """Return a weak reference. Raises TypeError if the object does not support one."""
    if isinstance(held, MethodType):
        return weakref.WeakMethod(held)
    if isinstance(held, BuiltinMethodType) and not isinstance(held.__self__, ModuleType):
        raise TypeError("a method of a C class lives as long as somebody holds it")
    return weakref.ref(held)


class Instance:
    """The object a method is called on: always a leaf, whatever its class."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


LeafType = TensorSpec | Literal | Identity | VariableType | TraceType


class CallType:
    """The type of all arguments of a call: their structure and the types of the leaves.

    Attributes:
      node: the structure.
      leaves: the types.
    """

    __slots__ = ("_hash", "_identities", "leaves", "node")

    def __init__(self, node: Node | None, leaves: tuple[LeafType, ...]) -> None:
        self.node = node
        self.leaves = leaves
        self._hash = hash((node, leaves))
        self._identities = tuple(leaf for leaf in leaves if type(leaf) is Identity)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CallType):
            return NotImplemented
        return self.leaves == other.leaves and self.node == other.node

    def __hash__(self) -> int:
        return self._hash

    @property
    def is_alive(self) -> bool:
        """Return whether every object compared by identity still exists."""
        return all(leaf.is_alive for leaf in self._identities)

    def includes(self, other: CallType) -> bool:
        """Return whether a graph for this type can serve a call of the other."""
        return self.node == other.node and all(
            _includes(a, b) for a, b in zip(self.leaves, other.leaves, strict=True)
        )

    def generalized(self, other: CallType) -> CallType | None:
        """Return the common type, if the types differ in shapes or in `TraceType`s only; else
        None.
        """
        if self.node != other.node:
            return None
        leaves = []
        for a, b in zip(self.leaves, other.leaves, strict=True):
            if isinstance(a, TensorSpec) and isinstance(b, TensorSpec) and a.dtype is b.dtype:
                leaves.append(spec_of(a.dtype, generalize(a.dims, b.dims)))
            elif a == b:
                leaves.append(a)  # type: ignore[arg-type]
            elif isinstance(a, TraceType) and isinstance(b, TraceType):
                common = a.most_specific_common_supertype([b])
                if common is None:
                    return None
                leaves.append(common)  # type: ignore[arg-type]
            else:
                return None
        return CallType(self.node, tuple(leaves))


def _includes(known: LeafType, other: LeafType) -> bool:
    """Return whether a graph for one leaf type can serve a leaf of the other type."""
    if isinstance(known, TensorSpec) and isinstance(other, TensorSpec):
        return known.includes(other)
    if isinstance(known, TraceType) and isinstance(other, TraceType):
        return other.is_subtype_of(known)
    return known == other


def leaf_type(value: Any) -> LeafType:
    """Return the type of an argument that is not a structure."""
    if isinstance(value, Tensor):
        return value.spec
    if isinstance(value, TensorSpec):
        return spec_of(value.dtype, value.dims)
    if isinstance(value, (np.ndarray, np.generic)):
        return _array_type(value)
    if isinstance(value, (Identity, VariableType)):
        return value
    if isinstance(value, Instance):
        return Identity(value.value)
    if isinstance(value, VariableArgument):
        return Identity(value) if value.identified else value._spec
    kind = type(value)
    if kind in _BY_VALUE:
        return Literal(kind, repr(value))
    if kind in (set, frozenset) and all(type(item) in _SCALARS for item in value):
        return Literal(kind, frozenset((type(item), repr(item)) for item in value))
    if isinstance(value, TraceType):
        return value
    if hasattr(kind, "__tf_tracing_type__"):
        return _stated_type(value)
    return Identity(value)


def _stated_type(value: Any) -> TraceType:
    """Return the type that the class of an object defines."""
    stated = value.__tf_tracing_type__(TracingContext())
    kind = type(value).__name__
    if not isinstance(stated, TraceType):
        raise TypeError(
            f"`{kind}.__tf_tracing_type__` returned {stated!r}, which is not a "
            "`types.experimental.TraceType`."
        )
    if hasattr(stated, "flatten") or hasattr(stated, "to_tensors"):
        raise TypeError(
            f"`{type(stated).__name__}`, the type of `{kind}`, has `flatten` or `to_tensors`: "
            f"tensors inside of a `{kind}` become inputs of a graph if `{kind}` has "
            "`__tensor_flatten__` and `__tensor_unflatten__`. Write these instead."
        )
    return stated


def _array_type(value: Any) -> LeafType:
    if value.dtype.kind in "biufc":
        return spec_of_array(value)
    items = np.asarray(value).ravel()
    if value.dtype.kind in "US" or all(isinstance(item, (str, bytes)) for item in items):
        return spec_of(dtypes.string, value.shape)
    return Identity(value)


def call_type(arguments: object) -> tuple[CallType, list[Any]]:
    """Return the type of the arguments of a call, and their leaves."""
    leaves, node = flatten(arguments)
    try:
        types = list(map(leaf_type, leaves))
    except TypeError as error:
        with boundary():
            raise_without_hash(error)
        raise
    variables = [i for i, kind in enumerate(types) if type(kind) is VariableType]
    if len(variables) > 1:
        _number_aliases(types, leaves, variables)
    return CallType(node, tuple(types)), leaves


def input_tensors(leaves: list[Any], types: Sequence[LeafType]) -> list[Tensor]:
    """Return the graph inputs for argument leaves: tensors, and handles of variables."""
    tensors = []
    for leaf, kind in zip(leaves, types, strict=True):
        if isinstance(kind, TensorSpec):
            tensors.append(convert_to_tensor(leaf))
        elif isinstance(kind, VariableType) and not leaf.identified:
            tensors.append(leaf.handle)
    return tensors


def with_identities(key: CallType, arguments: object) -> CallType:
    """Return the type of a call with the variables by identity that are now `identified`."""
    leaves, _ = flatten(arguments)
    types = tuple(
        Identity(leaf) if isinstance(leaf, VariableArgument) and leaf.identified else kind
        for leaf, kind in zip(leaves, key.leaves, strict=True)
    )
    return key if types == key.leaves else CallType(key.node, types)


def _number_aliases(types: list[LeafType], leaves: list[Any], variables: list[int]) -> None:
    seen: dict[int, int] = {}
    for position in variables:
        kind = types[position]
        assert isinstance(kind, VariableType)
        alias = seen.setdefault(id(leaves[position]), len(seen))
        types[position] = VariableType(kind.spec, kind.trainable, alias)


def in_words(value: object) -> str:
    """Return a value or spec as the signature of a function shows its type.

    >>> in_words([1, TensorSpec([], dtypes.float32)])
    'List[Literal[1], TensorSpec(shape=(), dtype=tf.float32, name=None)]'
    """
    level = children(value)
    if level is None:
        known = isinstance(value, (TensorSpec, Identity, VariableType, TraceType))
        return repr(value) if known else f"Literal[{value!r}]"
    keys, parts = level
    shown = [in_words(part) for part in parts]
    if isinstance(value, (list, tuple)) and not hasattr(type(value), "_fields"):
        return f"{type(value).__name__.capitalize()}[{', '.join(shown)}]"
    names = getattr(type(value), "_fields", keys)
    named = (f"[{key!r}, {part}]" for key, part in zip(names, shown, strict=True))
    return f"{'Dict' if isinstance(value, dict) else type(value).__name__}[{', '.join(named)}]"
