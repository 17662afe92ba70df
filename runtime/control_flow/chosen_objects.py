"""A choice among objects of one class by an index known at run time."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from functools import partial
from types import (
    DynamicClassAttribute,
    FunctionType,
    MemberDescriptorType,
    MethodType,
    WrapperDescriptorType,
)
from typing import Any, NoReturn

from autograph.operators.control_flow import if_stmt
from autograph.operators.logic import if_exp
from autograph.operators.stand_ins import has_identity
from autograph.reach.classes import (
    attributes_of,
    holds_attributes,
    is_plain_object,
    object_with,
    program_class,
)
from autograph.staging import is_one_of
from runtime.control_flow.chosen import Candidates, Chosen, choose, refers_to, replace
from runtime.control_flow.values.one_of import TensorOneOf
from runtime.control_flow.values.results import resolved
from runtime.core.errors import StagingError, VariantError
from runtime.core.structure import children, rebuild
from runtime.core.tensor import Tensor
from runtime.ops.math.elementwise import logical_not
from runtime.ops.math.logic import equal


class ChosenObject:
    """A reference to one of several objects of one class, selected at run time.

    Attributes are read from and assigned to the selected object. Methods receive this reference as
    `self`.

    Args:
      objects: objects of one class.
      position: the index of the selected one, an integer scalar.
    """

    __slots__ = ("objects", "position")

    objects: tuple[Any, ...]
    position: Tensor

    def __init__(self, objects: Sequence[Any], position: Tensor) -> None:
        object.__setattr__(self, "objects", tuple(objects))
        object.__setattr__(self, "position", position)

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """The class of the objects, for `isinstance`."""
        return type(self.objects[0])

    def __autograph_type__(self) -> type:
        """Return the class of the objects."""
        return type(self.objects[0])

    def __tensor_flatten__(self) -> tuple[tuple[Any, ...], Any]:
        """Return the position as part and the objects as description."""
        return (self.position,), Candidates(self.objects)

    @classmethod
    def __tensor_unflatten__(cls, description: Any, parts: Sequence[Any]) -> ChosenObject:
        """Rebuild the reference; the inverse of `__tensor_flatten__`."""
        return cls(description.containers, parts[0])

    def __autograph_refers__(self) -> tuple[Any, ...]:
        """Return the objects that an assignment may change."""
        return self.objects

    __autograph_is__ = refers_to

    def __autograph_chosen__(self) -> Any:
        """Return the object after the graph has run."""
        position: Any = self.position
        return self.objects[int(position)]

    def __autograph_copied__(self) -> Any:
        """Return a copy of the selected object, if it is a structure of tensors."""
        first = self.objects[0]
        if is_plain_object(type(first)):
            return self._copied_attributes(attributes_of(first))
        level = children(first)
        if level is None or not isinstance(level[0], tuple):
            return self
        parts = [resolved(getattr(self, name)) for name in level[0]]
        return rebuild(type(first), level[0], parts, first)

    def _copied_attributes(self, names: tuple[str, ...]) -> Any:
        if any(set(attributes_of(each)) != set(names) for each in self.objects):
            return self
        held = {name: resolved(getattr(self, name)) for name in names}
        return self if any(map(has_identity, held.values())) else object_with(self.__class__, held)

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the selected object, or a method bound to this reference."""
        kind = type(self.objects[0])
        found = inspect.getattr_static(kind, name, None)
        if isinstance(found, FunctionType):
            return MethodType(found, self)
        if isinstance(found, property) and found.fget is not None:
            return found.fget(self)
        if found is not None and not isinstance(found, _OF_OBJECT):
            in_objects = [name in vars(each) for each in self.objects]
            if not any(in_objects) and not hasattr(type(found), "__get__"):
                return found
            if hasattr(type(found), "__get__"):
                self._refuse(f"is asked for `{name}`")
        values = [getattr(each, name) for each in self.objects]
        return _chosen_value(name, values, self)

    def __setattr__(self, name: str, value: object) -> None:
        kind = type(self.objects[0])
        found = inspect.getattr_static(kind, name, None)
        if isinstance(found, property) and found.fset is not None:
            found.fset(self, value)
            return
        known = isinstance(found, MemberDescriptorType) or not hasattr(type(found), "__get__")
        if not known or "__setattr__" in _names_of(kind):
            self._refuse(f"is assigned `{name}`")
        before = [getattr(each, name) for each in self.objects]
        if any(map(_is_object, (value, *before))):
            for place, each in enumerate(self.objects):
                if_stmt(equal(self.position, place), partial(setattr, each, name, value))
            return
        after = replace(before, self.position, value, self.objects[0])
        for each, item in zip(self.objects, after, strict=True):
            setattr(each, name, item)

    def _refuse(self, what: str) -> NoReturn:
        kind = type(self.objects[0]).__name__
        raise StagingError(
            f"an object of the class {kind} that a tensor chooses {what}, which a graph cannot do.",
            remedy="Read and assign its attributes, or choose by a Python value.",
            public=VariantError,
        )

    def _refuse_operator(self, *_: object) -> NoReturn:
        self._refuse("is used by an operator or a built-in function")

    def __eq__(self, other: object) -> Any:
        """Return whether the selected object equals another, by identity or a method of C."""
        own: Any = type(self.objects[0]).__eq__
        if own is object.__eq__ and isinstance(other.__class__.__eq__, WrapperDescriptorType):
            return refers_to(self, other)
        refers = hasattr(type(other), "__autograph_refers__")
        if refers or not isinstance(own, WrapperDescriptorType):
            self._refuse_operator()
        return choose([each == other for each in self.objects], self.position, self)

    def __ne__(self, other: object) -> Any:
        if not isinstance(type(self.objects[0]).__ne__, WrapperDescriptorType):
            self._refuse_operator()
        same = self == other
        return not same if isinstance(same, bool) else logical_not(same)

    def __repr__(self) -> str:
        """Raise: the text would show one of the objects."""
        self._refuse("is shown as text")

    def __bool__(self) -> bool:
        """Return True, the truth of each object whose class does not define it."""
        kind: Any = type(self.objects[0])
        if hasattr(kind, "__bool__") or hasattr(kind, "__len__"):
            self._refuse("is asked for its truth")
        return True

    __len__ = __iter__ = __contains__ = __getitem__ = __setitem__ = _refuse_operator
    __call__ = __delattr__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse_operator
    __int__ = __float__ = __index__ = __round__ = _refuse_operator
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = _refuse_operator
    __neg__ = __abs__ = __enter__ = __exit__ = __format__ = __delitem__ = _refuse_operator
    __copy__ = __deepcopy__ = __reduce_ex__ = __hash__ = _refuse_operator


_OF_OBJECT = (MemberDescriptorType, DynamicClassAttribute)
"""Descriptors of slots, and of `name` and `value` of an Enum: they read what an object holds."""


def _names_of(kind: type) -> set[str]:
    """Return the names that a class of the program, or one of its bases, defines."""
    return {name for base in kind.__mro__[:-1] for name in vars(base)}


def _is_object(value: Any) -> bool:
    """Return whether a value is an object with attributes, or one of several, or None."""
    kinds = map(type, value.__autograph_values__) if is_one_of(value) else (type(value),)
    return any(kind is ChosenObject or is_plain_object(kind) for kind in kinds)


def _chosen_value(name: str, values: Sequence[Any], owner: ChosenObject) -> Any:
    """Return the value of an attribute of the selected object."""
    first = values[0]
    if not any(map(_is_object, values)) or all(each is first for each in values):
        return choose(values, owner.position, owner.objects[0])
    result = first
    for place, value in enumerate(values[1:], 1):
        is_selected = equal(owner.position, place)
        result = if_exp(is_selected, partial(_same, value), partial(_same, result))
    if type(result) is not TensorOneOf:
        return result
    held, position = result.__autograph_values__, result.__autograph_position__
    return TensorOneOf(held, position, f"{owner.__class__.__name__}.{name}")


def _same(value: object) -> Any:
    return value


def reference_to_one(objects: tuple[Any, ...], position: Tensor) -> Any:
    """Return a reference to one of several objects, or None if their class does not allow it."""
    kind: Any = type(objects[0])
    if any(program_class(type(each)) is not program_class(kind) for each in objects):
        return None
    if kind in (list, dict):
        return Chosen(objects, position)
    if not holds_attributes(kind) or issubclass(kind, list | dict | tuple | set):
        return None
    return ChosenObject(objects, position)
