"""References to one of several objects of one class: their attributes and methods."""

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
from runtime.control_flow.references import Reference
from runtime.control_flow.selection import ContainerReference, replace, select
from runtime.control_flow.values.one_of import TensorOneOf
from runtime.control_flow.values.results import resolved
from runtime.core.errors import StagingError, VariantError
from runtime.core.structure import children, rebuild
from runtime.core.tensor import Tensor
from runtime.ops.math.elementwise import logical_not
from runtime.ops.math.logic import equal


def _refuse(reference: Reference, what: str) -> NoReturn:
    kind = reference.__autograph_type__().__name__
    raise StagingError(
        f"an object of the class {kind} that a tensor chooses {what}, which a graph cannot do.",
        remedy="Read and assign its attributes, or choose by a Python value.",
        public=VariantError,
    )


def _refuse_operator(reference: Reference, *_: object) -> NoReturn:
    _refuse(reference, "is used by an operator or a built-in function")


class ObjectReference(Reference):
    """A reference to one of several objects of one class, selected at run time.

    Attributes are read from and assigned to the selected object. Methods receive this reference as
    `self`.
    """

    __slots__ = ()

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """The class of the objects, for `isinstance`."""
        return type(self.__autograph_objects__[0])

    def __autograph_copied__(self) -> Any:
        """Return a copy of the selected object, if it is a structure of tensors."""
        first = self.__autograph_objects__[0]
        if is_plain_object(type(first)):
            return _copied_attributes(self, attributes_of(first))
        level = children(first)
        if level is None or not isinstance(level[0], tuple):
            return self
        parts = [resolved(getattr(self, name)) for name in level[0]]
        return rebuild(type(first), level[0], parts, first)

    def __autograph_called__(self) -> Any:
        """Return the objects as alternatives: converted code calls each in a branch of its own."""
        kind = self.__class__.__name__
        return TensorOneOf(self.__autograph_objects__, self.__autograph_position__, kind)

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the selected object, or a method bound to this reference."""
        objects = self.__autograph_objects__
        found = inspect.getattr_static(type(objects[0]), name, None)
        if isinstance(found, FunctionType):
            return MethodType(found, self)
        if isinstance(found, property) and found.fget is not None:
            return found.fget(self)
        if found is not None and not isinstance(found, _OF_OBJECT):
            in_objects = [name in vars(each) for each in objects]
            if not any(in_objects) and not hasattr(type(found), "__get__"):
                return found
            if hasattr(type(found), "__get__"):
                _refuse(self, f"is asked for `{name}`")
        values = [getattr(each, name) for each in objects]
        return _chosen_value(name, values, self)

    def __setattr__(self, name: str, value: object) -> None:
        objects, position = self.__autograph_objects__, self.__autograph_position__
        found = inspect.getattr_static(type(objects[0]), name, None)
        if isinstance(found, property) and found.fset is not None:
            found.fset(self, value)
            return
        known = isinstance(found, MemberDescriptorType) or not hasattr(type(found), "__get__")
        if not known or "__setattr__" in _names_of(type(objects[0])):
            _refuse(self, f"is assigned `{name}`")
        before = [getattr(each, name) for each in objects]
        if any(map(_is_object, (value, *before))):
            for place, each in enumerate(objects):
                if_stmt(equal(position, place), partial(setattr, each, name, value))
            return
        after = replace(before, position, value, objects[0])
        for each, item in zip(objects, after, strict=True):
            setattr(each, name, item)

    def __eq__(self, other: object) -> Any:
        """Return whether the selected object equals another, by identity or a method of C."""
        own: Any = type(self.__autograph_objects__[0]).__eq__
        if own is object.__eq__ and isinstance(other.__class__.__eq__, WrapperDescriptorType):
            return self.__autograph_is__(other)
        refers = hasattr(type(other), "__autograph_refers__")
        if refers or not isinstance(own, WrapperDescriptorType):
            _refuse_operator(self)
        return select(
            [each == other for each in self.__autograph_objects__],
            self.__autograph_position__,
            self,
        )

    def __ne__(self, other: object) -> Any:
        if not isinstance(type(self.__autograph_objects__[0]).__ne__, WrapperDescriptorType):
            _refuse_operator(self)
        same = self == other
        return not same if isinstance(same, bool) else logical_not(same)

    def __repr__(self) -> str:
        """Raise: the text would show one of the objects."""
        _refuse(self, "is shown as text")

    def __bool__(self) -> bool:
        """Return True, the truth of each object whose class does not define it."""
        kind: Any = type(self.__autograph_objects__[0])
        if hasattr(kind, "__bool__") or hasattr(kind, "__len__"):
            _refuse(self, "is asked for its truth")
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
    return any(kind is ObjectReference or is_plain_object(kind) for kind in kinds)


def _chosen_value(name: str, values: Sequence[Any], owner: ObjectReference) -> Any:
    """Return the value of an attribute of the selected object."""
    first = values[0]
    if not any(map(_is_object, values)) or all(each is first for each in values):
        return select(values, owner.__autograph_position__, owner.__autograph_objects__[0])
    result = first
    for place, value in enumerate(values[1:], 1):
        is_selected = equal(owner.__autograph_position__, place)
        result = if_exp(is_selected, partial(_same, value), partial(_same, result))
    if type(result) is not TensorOneOf:
        return result
    held, position = result.__autograph_values__, result.__autograph_position__
    return TensorOneOf(held, position, f"{owner.__class__.__name__}.{name}")


def _copied_attributes(reference: Any, names: tuple[str, ...]) -> Any:
    objects = reference.__autograph_objects__
    if any(set(attributes_of(each)) != set(names) for each in objects):
        return reference
    held = {name: resolved(getattr(reference, name)) for name in names}
    is_nested = any(map(has_identity, held.values()))
    return reference if is_nested else object_with(type(objects[0]), held)


def _same(value: object) -> Any:
    return value


def reference_to_one(objects: tuple[Any, ...], position: Tensor) -> Any:
    """Return a reference to one of several objects, or None if their class does not allow it."""
    kind: Any = type(objects[0])
    if any(program_class(type(each)) is not program_class(kind) for each in objects):
        return None
    if kind in (list, dict):
        return ContainerReference(objects, position)
    if not holds_attributes(kind) or issubclass(kind, list | dict | tuple | set):
        return None
    return ObjectReference(objects, position)
