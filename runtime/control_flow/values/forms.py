"""Forms: the types of values in a graph.

A *form* describes a value: which tensors it consists of, and how they make up the value.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from types import MethodType
from typing import Any

import numpy as np

from autograph.operators.moved import Moved, resolve
from autograph.operators.stand_ins import Ref, StandIn
from autograph.operators.variables import Conflict, Undefined, conflict_error
from autograph.staging import ATOMS, ProgramName, is_one_of
from runtime.control_flow.values.merged_objects import Attributes, Kept
from runtime.control_flow.values.stacks import is_stack
from runtime.core import dtypes
from runtime.core.errors import StagingError
from runtime.core.spec import TensorSpec, Weak, spec_of_array
from runtime.core.structure import children, endless, flatten
from runtime.core.tensor import Tensor
from runtime.ops.base.convert import exact_spec, weakness
from runtime.ops.base.values import NUMBERS, to_array


@dataclass(frozen=True, eq=False)
class Fixed:
    """A value without tensors, which is the same at every run."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fixed) and _same(self.value, other.value)

    def __hash__(self) -> int:
        return hash(type(self.value))


class Shared(Fixed):
    """An object that is the same in each call of a function: no other one has its form."""


@dataclass(frozen=True)
class Leaf:
    """A tensor.

    Attributes:
      spec: dtype and shape.
      weak: whether it represents a Python number; None: on some ways to here.
      maybe: the name of the variable, if it may be undefined at run time.
    """

    spec: TensorSpec
    weak: Weak = False
    maybe: str = ""


@dataclass(frozen=True)
class Growing:
    """A list whose length is known only at run time; the form of an element contains leaves."""

    element: Any


@dataclass(frozen=True)
class DictKind:
    """A Python dict class.

    Attributes:
      plain: the class.
      factory: the factory of a `defaultdict`, or None.
    """

    plain: type[dict[Any, Any]] = dict
    factory: Callable[[], Any] | None = None

    @classmethod
    def of(cls, value: Any) -> DictKind:
        """Return the class of a dict."""
        return cls(type(value), getattr(value, "default_factory", None))

    def known(self, items: dict[Any, Any]) -> dict[Any, Any]:
        """Return a dict of this class."""
        return defaultdict(self.factory, items) if self.plain is defaultdict else self.plain(items)


PLAIN_DICT = DictKind()
"""The class `dict`."""


_GAIN_KEYS = (dict, Counter, defaultdict, OrderedDict, set)


def gains_keys(kind: type) -> bool:
    """Return whether the keys of a dict of this class may be known only at run time."""
    return kind in _GAIN_KEYS


@dataclass(frozen=True)
class Keyed:
    """A dict whose keys are known only at run time, among a known set."""

    keys: tuple[Any, ...]
    parts: tuple[Any, ...]
    owned: tuple[bool, ...]
    kind: DictKind = PLAIN_DICT


LONG = 128
"""Fewest numbers of a long list.

Shorter ones stay lists of Python, which do all that programs ask of them: their items take less
time than the rest of a trace.
"""


@dataclass(frozen=True)
class Stack:
    """A list of known length whose elements are the rows of one tensor, or lists of its numbers."""

    element: Leaf | Stack
    count: int

    @property
    def is_long(self) -> bool:
        """Whether a Python list of its numbers would take long to trace."""
        inner, leaf = 1, self.element
        if isinstance(leaf, Stack):
            inner, leaf = leaf.count, leaf.element
        are_numbers = isinstance(leaf, Leaf) and leaf.spec.dtype is not dtypes.string
        return are_numbers and self.count * inner >= LONG


@dataclass(frozen=True)
class Nest:
    """A structure of forms; `like` provides all other state of the object."""

    kind: type
    keys: Any
    parts: tuple[Any, ...]
    like: Any = field(compare=False, default=None)

    def __eq__(self, other: object) -> bool:
        if type(other) is not Nest:
            return NotImplemented
        if (self.kind, self.keys, self.parts) != (other.kind, other.keys, other.parts):
            return False
        return not issubclass(self.kind, (dict, tuple)) or alike_besides_items(
            self.like, other.like
        )


def alike_besides_items(one: Any, other: Any) -> bool:
    """Return whether two dicts or tuples have the same attributes and default factory."""
    if one is other or one is None or other is None:
        return True
    held, others = map(_besides_items, (one, other))
    return held.keys() == others.keys() and all(
        Fixed(value) == Fixed(others[name]) for name, value in held.items()
    )


def _besides_items(items: Any) -> dict[str, Any]:
    own = getattr(items, "__dict__", items)
    factory = {"default_factory": getattr(items, "default_factory", None)}
    return factory if own is items else {**own, **factory}


@dataclass(frozen=True)
class Either:
    """A value of one of the forms `parts`, which no form covers; `path` is the variable."""

    parts: tuple[Any, ...]
    path: str = field(compare=False)


RESULT = "the result"
"""The name of the return value of a branch in messages."""


Form = Fixed | Leaf | Growing | Keyed | Either | Stack | Nest

FormOf = Callable[[object], Form]


class Formed:
    """The base of the classes of values whose form is that of no Python value."""

    def form(self, form_of: FormOf) -> Form:
        """Return the form of this value, whose parts have the forms that `form_of` returns."""
        raise NotImplementedError


def _same(a: Any, b: Any) -> bool:
    if a is b:
        return True
    if type(a) is Undefined and type(b) is Undefined:
        return True
    if issubclass(type(a), StandIn):
        return bool(a.is_same(b))
    if type(a) is MethodType and type(b) is MethodType:
        return a.__self__ is b.__self__ and a.__func__ is b.__func__
    if type(a) is not type(b) or type(a) not in (*NUMBERS, str, bytes):
        return False
    return bool(a == b) and repr(a) == repr(b)


def form_of(value: object) -> Form:
    """Return the form of a value. Raises ValueError for a structure that contains itself."""
    try:
        return _form_of(value)
    except RecursionError:
        raise endless(value) from None


def _form_of(value: Any) -> Form:
    if type(value) in ATOMS or type(value) is Conflict:
        return Fixed(value)
    if is_one_of(value):
        return Either(tuple(map(_form_of, value.__autograph_values__)), value.__autograph_name__)
    value = resolve(value)
    if issubclass(type(value), Moved):
        value.refuse()
    if isinstance(value, Tensor):
        return Leaf(value.spec, weakness(value))
    if isinstance(value, Formed):
        return value.form(_form_of)
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "biufc":
        return Leaf(spec_of_array(value))
    if type(value) is list and is_stack(value) and value[0].shape.is_fully_defined():
        return Stack(Leaf(value[0].spec, value[0].weak), len(value))
    level = children(value)
    if level is None:
        return Fixed(value)
    keys, parts = level
    if isinstance(value, (dict, tuple)):
        _refuse_tensors_besides(value)
    return Nest(type(value), keys, tuple(map(_form_of, parts)), value)


def _refuse_tensors_besides(items: Any) -> None:
    """Raise StagingError if an attribute of a dict or named tuple holds a tensor."""
    own = getattr(items, "__dict__", items)
    if own is items:
        return
    for name, held in own.items():
        if any(isinstance(leaf, Tensor) for leaf in flatten(held)[0]):
            raise StagingError(
                f"the attribute `{name}` of a {type(items).__name__} holds a tensor, and of a dict "
                "or named tuple a graph has only the items.",
                remedy=f"Make `{name}` an item.",
                public=TypeError,
            )


def expanded(form: Form) -> Form:
    """Return the form with a part for each element of a list that is not long."""
    if isinstance(form, Stack) and not form.is_long:
        return Nest(list, form.count, (form.element,) * form.count)
    if isinstance(form, Nest):
        return Nest(form.kind, form.keys, tuple(map(expanded, form.parts)), form.like)
    return form


def is_number(form: Form) -> bool:
    """Return whether it is the form of a Python number."""
    return isinstance(form, Fixed) and type(form.value) in NUMBERS


def as_leaf(form: Form) -> Form:
    """Return the form of a Python number, string or variable as a leaf; other forms unchanged."""
    if not isinstance(form, Fixed):
        return form
    value = form.value
    if type(value) in NUMBERS:
        return Leaf(exact_spec(value), weak=True)
    if type(value) in (str, bytes):
        return Leaf(spec_of_array(to_array(value)), weak=type(value) is str)
    if hasattr(type(value), "__tf_tensor__"):
        return Leaf(value.spec)
    return form


def is_reference(form: Form) -> bool:
    """Return whether it is the form of an object that a staged statement refers to."""
    return isinstance(form, Fixed) and issubclass(type(form.value), StandIn)


def refers(form: Form) -> bool:
    """Return whether it is the form of a reference to one of several objects."""
    return isinstance(form, Nest) and hasattr(form.kind, "__autograph_refers__")


def alternatives(form: Form) -> tuple[Any, ...]:
    """Return the forms that a value may have."""
    return form.parts if isinstance(form, Either) else (form,)


def part_path(path: str, nest: Nest, position: int) -> str:
    """Return the name of a part, as the program would write it."""
    part = _part_path(path, nest, position)
    return ProgramName(part) if isinstance(path, ProgramName) else part


def _part_path(path: str, nest: Nest, position: int) -> str:
    if issubclass(nest.kind, dict):
        return f"{path}[{nest.keys[position]!r}]"
    if hasattr(nest.kind, "__autograph_carried__"):
        return path
    if nest.kind is Attributes:
        return f"{path}.{nest.keys.names[position]}"
    if isinstance(nest.keys, tuple) and not hasattr(nest.kind, "__tensor_flatten__"):
        return f"{path}.{nest.keys[position]}"
    return f"{path}[{position}]"


def describe(form: Form) -> str:
    """Describe a form, for messages."""
    if isinstance(form, Leaf):
        return f"{form.spec}"
    if isinstance(form, Growing):
        return f"a growing list of {describe(form.element)}"
    if isinstance(form, Either):
        return " or ".join(map(describe, form.parts))
    if isinstance(form, Keyed):
        return f"a dict that may have the keys {list(form.keys)}"
    if isinstance(form, Stack):
        return f"a list of {form.count} elements {describe(form.element)}"
    if isinstance(form, Nest):
        if hasattr(form.like, "word"):
            return f"a {form.like.word}"
        if refers(form):
            objects = form.keys.containers
            return f"one of {len(objects)} objects of the class {type(objects[0]).__name__}"
        if hasattr(form.kind, "__autograph_carried__"):
            return f"a {form.kind.__name__} of {describe(form.parts[0])}"
        inner = ", ".join(map(describe, form.parts))
        return f"a {form.kind.__name__} of ({inner})"
    if is_undefined(form):
        return "undefined"
    if is_conflict(form):
        return "a value without one type"
    if form.value is None:
        return "None"
    value = form.value.value if type(form.value) in (Ref, Kept) else form.value
    if issubclass(type(value), StandIn):
        value = value.items
    text = value.__qualname__ if type(value) is MethodType else repr(value)
    shown = text if len(text) <= 40 else f"{text[:37]}..."
    return f"the Python {type(value).__name__} {shown}"


def is_singleton(form: Form) -> bool:
    """Return whether it is the form of None, True or False, which programs test with `is`.

    Python evaluates `is` without consulting the value, so such a value is never part of a conflict.
    """
    return isinstance(form, Fixed) and (form.value is None or type(form.value) is bool)


def is_conflict(form: Form) -> bool:
    """Return whether it is the form of a variable without one type."""
    return isinstance(form, Fixed) and type(form.value) is Conflict


def refuse_conflicts(form: Form, use: str) -> None:
    """Raise the error of a variable without one type that is part of a form."""
    if isinstance(form, Fixed) and type(form.value) is Conflict:
        raise conflict_error(form.value, use)
    if isinstance(form, Nest):
        for part in form.parts:
            refuse_conflicts(part, use)


def is_undefined(form: Form) -> bool:
    """Return whether it is the form of an undefined variable."""
    return isinstance(form, Fixed) and type(form.value) is Undefined


def may_be_none(form: Form) -> bool:
    """Return whether it is the form of None, or of a value that may be None."""
    return any(map(is_none, alternatives(form)))


def is_none(form: Form) -> bool:
    """Return whether it is the form of None."""
    return isinstance(form, Fixed) and form.value is None
