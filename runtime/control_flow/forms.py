"""Forms: the types of values in a graph, and their joins.

A *form* describes a value: it flattens the value into tensors and rebuilds the value from them.
`join` returns the least form that covers two others: a branch or loop needs one form for all values
of a variable.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import partial, reduce
from typing import Any

import numpy as np

from autograph.operators.moved import Moved, resolve
from autograph.operators.stand_ins import Ref, StandIn
from autograph.operators.variables import (
    Conflict,
    Undefined,
    conflict_error,
    is_generated,
    with_none,
)
from autograph.reach.places import SetMembers
from autograph.staging import ProgramName, is_one_of
from runtime.control_flow.growing import Column, GrowingList
from runtime.control_flow.merged_objects import Attributes, Kept, is_mergeable
from runtime.control_flow.one_of import TensorOneOf
from runtime.control_flow.partial_dicts import PLAIN, Entry, PartialDict, Sort, gains_keys
from runtime.control_flow.stacks import is_stack, stack_of, unstacked
from runtime.control_flow.undefined import PossiblyUndefined, placeholder
from runtime.core import dtypes
from runtime.core.dtypes import DType, conversion_call
from runtime.core.errors import StagingError
from runtime.core.places import user_place
from runtime.core.shapes import element_count, generalize, known
from runtime.core.spec import TensorSpec, spec_of, spec_of_array
from runtime.core.structure import Node, children, endless, rebuild
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import EagerTensor, Tensor
from runtime.core.thread import STATE
from runtime.ops.array.lists import list_reserve
from runtime.ops.base.convert import (
    cast_to,
    convert_to_tensor,
    exact_spec,
    is_weak,
    settled_dtype,
    weakened,
)
from runtime.ops.base.values import NUMBERS, to_array
from runtime.ops.items.selecting import where


@dataclass(frozen=True, eq=False)
class Fixed:
    """A value without tensors, which is the same at every run."""

    value: Any

    def __eq__(self, other: object) -> bool:
        """Compare by identity, numbers and strings by type and value."""
        return isinstance(other, Fixed) and _same(self.value, other.value)

    def __hash__(self) -> int:
        """Hash the type."""
        return hash(type(self.value))


@dataclass(frozen=True)
class Leaf:
    """A tensor.

    Attributes:
      spec: dtype and shape.
      weak: whether it represents a Python number.
      maybe: the name of the variable, if it may be undefined at run time.
    """

    spec: TensorSpec
    weak: bool = False
    maybe: str = ""


@dataclass(frozen=True)
class Growing:
    """A list whose length is known only at run time; the form of an element contains leaves."""

    element: Any


@dataclass(frozen=True)
class Keyed:
    """A dict whose keys are known only at run time, among a known set."""

    keys: tuple[Any, ...]
    parts: tuple[Any, ...]
    owned: tuple[bool, ...]
    sort: Sort = PLAIN


@dataclass(frozen=True)
class Stack:
    """A list of known length whose elements are the rows of one tensor."""

    element: Leaf
    count: int


@dataclass(frozen=True)
class Nest:
    """A structure of forms; `like` provides all other state of the object."""

    kind: type
    keys: Any
    parts: tuple[Any, ...]
    like: Any = field(compare=False, default=None)


@dataclass(frozen=True)
class Either:
    """A value of one of the forms `parts`, which no form covers; `path` is the variable."""

    parts: tuple[Any, ...]
    path: str = field(compare=False)


RESULT = "the result"
"""How messages refer to the return value of a branch."""

Form = Fixed | Leaf | Growing | Keyed | Either | Stack | Nest


class Mismatch(Exception):
    """No form covers two values of one variable.

    Args:
      path: the variable, or a part of it.
      left, right: the two forms.
      reason: why they cannot be joined; empty if this is obvious.
    """

    def __init__(self, path: str, left: Form, right: Form, reason: str = "") -> None:
        """Store the fields."""
        super().__init__(path)
        self.path = path
        self.left = left
        self.right = right
        self.reason = reason

    @property
    def dtypes(self) -> tuple[DType, ...]:
        """The two dtypes, if the forms are tensors that differ in dtype; else empty."""
        if not isinstance(self.left, Leaf) or not isinstance(self.right, Leaf):
            return ()
        found = self.left.spec.dtype, self.right.spec.dtype
        return () if found[0] is found[1] else found

    @property
    def conversion(self) -> str:
        """A call that would make the dtypes equal; empty if they are."""
        return conversion_call(*self.dtypes) if self.dtypes else ""


def _same(a: Any, b: Any) -> bool:
    if a is b:
        return True
    if type(a) is Undefined and type(b) is Undefined:
        return True
    if issubclass(type(a), StandIn):
        return bool(a.is_same(b))
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
    if type(value) is Conflict:
        return Fixed(value)
    if is_one_of(value):
        return Either(tuple(map(_form_of, value.__autograph_values__)), value.__autograph_name__)
    value = resolve(value)
    if issubclass(type(value), Moved):
        value.refuse()
    if isinstance(value, Tensor):
        return Leaf(value.spec, isinstance(value, SymbolicTensor) and value.weak)
    if isinstance(value, PossiblyUndefined):
        return Leaf(value.spec, is_weak(value.held), value.variable)
    if isinstance(value, GrowingList):
        value.check_is_part()
        leaves = iter([Leaf(column.spec, column.weak) for column in value.columns])
        return Growing(_element_form(value.node, leaves))
    if isinstance(value, PartialDict):
        value.check_is_part()
        entries = value.entries.values()
        parts = tuple(_form_of(entry.value) for entry in entries)
        owned = tuple(entry.owned for entry in entries)
        return Keyed(tuple(value.entries), parts, owned, value.sort)
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "biufc":
        return Leaf(spec_of_array(value))
    if type(value) is list and is_stack(value) and value[0].shape.is_fully_defined():
        return Stack(Leaf(value[0].spec, value[0].weak), len(value))
    level = children(value)
    if level is None:
        return Fixed(value)
    keys, parts = level
    return Nest(type(value), keys, tuple(map(_form_of, parts)), value)


def _element_form(node: Node | None, leaves: Iterator[Leaf]) -> Form:
    if node is None:
        return next(leaves)
    parts = tuple(_element_form(part, leaves) for part in node.parts)
    return Nest(node.kind, node.keys, parts)


def _node(form: Form) -> Node | None:
    if not isinstance(form, Nest):
        return None
    return Node(form.kind, form.keys, tuple(map(_node, form.parts)))


def _columns(form: Growing) -> list[Column]:
    """Return empty columns for the elements of a growing list."""
    empty = list_reserve(0)
    return [Column(empty, spec, weak) for spec, weak in specs(form.element)]


def expanded(form: Form) -> Form:
    """Return the form with a part for each element of a list."""
    if isinstance(form, Stack):
        return Nest(list, form.count, (form.element,) * form.count)
    if isinstance(form, Nest):
        return Nest(form.kind, form.keys, tuple(map(expanded, form.parts)), form.like)
    return form


def common_leaf_of(items: Iterable[Any]) -> Leaf | None:
    """Return the leaf that covers all elements of a list with one known shape, or None."""
    # Lists can be long, but have few kinds of elements.
    kinds: dict[Any, Any] = {}
    ints = []
    for item in items:
        if type(item) is int:
            ints.append(item)
        elif type(item) is SymbolicTensor:
            kinds[item.spec.dtype, item.spec.dims, item.weak] = item
        elif type(item) in (bool, float):
            kinds[type(item)] = item
        else:
            kinds[id(item)] = item
    few = [min(ints), max(ints)] if ints else []
    return common_leaf(map(form_of, [*few, *kinds.values()]))


def common_leaf(parts: Iterable[Form]) -> Leaf | None:
    """Return the leaf that covers elements with these forms, like `common_leaf_of`."""
    joined: Leaf | None = None
    for part in parts:
        leaf = as_leaf(part)
        if not isinstance(leaf, Leaf) or leaf.maybe or element_count(leaf.spec.dims) is None:
            return None
        if joined is None or joined == leaf:
            joined = leaf
            continue
        if joined.spec.dims != leaf.spec.dims:
            return None
        try:
            joined = _join_leaves("", joined, leaf)
        except Mismatch:
            return None
    return joined


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


def join(path: str, a: Form, b: Form) -> Form:
    """Return the least form that covers both. Raises Mismatch if there is none."""
    if a == b and not _is_set(a):
        return a
    for one, other in ((a, b), (b, a)):
        if is_conflict(one):
            assert isinstance(one, Fixed)
            return Fixed(with_none(one.value)) if may_be_none(other) else one
    for one, other in ((a, b), (b, a)):
        if is_undefined(one):
            joined = _perhaps(path, one, other)
            if joined is None:
                raise Mismatch(path, a, b)
            return joined
    if isinstance(a, Either) or isinstance(b, Either):
        return _join_either(path, a, b)
    if isinstance(path, ProgramName) and any(map(_is_constant, (a, b))):
        return _join_either(path, a, b)
    return _join_alike(path, a, b)


def _join_alike(path: str, a: Form, b: Form) -> Form:
    """Return the least form that covers two forms of one kind."""
    if _is_reference(a) or _is_reference(b):
        return _join_references(path, a, b)
    if isinstance(a, Stack) or isinstance(b, Stack):
        return _join_stack(path, a, b)
    if isinstance(a, Nest) and isinstance(b, Nest):
        return _join_nests(path, a, b)
    if isinstance(a, Growing) or isinstance(b, Growing):
        return _join_growing(path, a, b)
    if isinstance(a, Keyed) or isinstance(b, Keyed):
        return _join_keyed(path, a, b)
    left, right = as_leaf(a), as_leaf(b)
    if isinstance(left, Leaf) and isinstance(right, Leaf):
        return _join_leaves(path, left, right)
    first, second = _as_attributes(a), _as_attributes(b)
    if first is not None and second is not None:
        return _join_nests(path, first, second)
    raise Mismatch(path, a, b)


def _as_attributes(form: Form) -> Nest | None:
    """Return the form of an object of the program by its attributes; None for other values."""
    if isinstance(form, Nest):
        return form if form.kind is Attributes else None
    if not isinstance(form, Fixed) or not is_mergeable(form.value):
        return None
    held = Attributes(form.value)
    return Nest(Attributes, held.description, tuple(map(_attribute_form, held.parts)), held)


def _attribute_form(value: object) -> Form:
    """Return the form of an attribute; objects, lists and arrays must be identical in all
    branches.
    """
    if not isinstance(value, np.ndarray):
        form = form_of(value)
        if _is_immutable_form(form):
            return form
    return Fixed(Kept(value))


def _is_immutable_form(form: Form) -> bool:
    if isinstance(form, Nest):
        return issubclass(form.kind, tuple) and all(map(_is_immutable_form, form.parts))
    if isinstance(form, Either):
        return all(map(_is_immutable_form, form.parts))
    return isinstance(as_leaf(form), Leaf) or is_none(form)


def _perhaps(path: str, undefined: Form, other: Form) -> Form | None:
    """Return the form of a variable that may be undefined; None if its value has no form for
    this.
    """
    assert isinstance(undefined, Fixed)
    if is_generated(undefined.value):
        return _as_attributes(other) or as_leaf(other)
    if isinstance(other, Nest) and not hasattr(other.kind, "__tensor_flatten__"):
        if not other.parts:
            return None  # No tensor of it could tell whether it was assigned.
        parts = [_perhaps(path, undefined, part) for part in other.parts]
        known = tuple(part for part in parts if part is not None)
        return Nest(other.kind, other.keys, known, other.like) if len(known) == len(parts) else None
    leaf = as_leaf(other)
    return Leaf(leaf.spec, leaf.weak, leaf.maybe or path) if isinstance(leaf, Leaf) else None


def _join_stack(path: str, a: Form, b: Form) -> Form:
    """Return one tensor for both lists if their elements allow it, else one tensor per element."""
    left, right = _expanded_list(a), _expanded_list(b)
    if isinstance(left, Nest) and isinstance(right, Nest) and left.keys == right.keys:
        leaf = common_leaf((*left.parts, *right.parts))
        if leaf is not None:
            return Stack(leaf, left.keys)
    return join(path, left, right)


def _expanded_list(form: Form) -> Form:
    return expanded(form) if isinstance(form, Stack) else form


def _join_leaves(path: str, a: Leaf, b: Leaf) -> Leaf:
    dims = generalize(a.spec.dims, b.spec.dims)
    maybe = a.maybe or b.maybe
    if a.spec.dtype is b.spec.dtype:
        return Leaf(spec_of(a.spec.dtype, dims), a.weak and b.weak, maybe)
    target = _common(a, b)
    if target is None:
        raise Mismatch(path, a, b)
    return Leaf(spec_of(target, dims), a.weak and b.weak, maybe)


_RANK = {"i": 1, "u": 1, "f": 2, "c": 3}


def _common(a: Leaf, b: Leaf) -> DType | None:
    """Return the common dtype of a Python number and another value; None if it is ambiguous."""
    if not (a.weak or b.weak):
        return None
    first, second = a.spec.dtype, b.spec.dtype
    if first.kind not in _RANK or second.kind not in _RANK:
        return None
    if a.weak and b.weak:
        return max(first, second, key=lambda dtype: (_RANK[dtype.kind], dtype.size))
    strong, weak = (second, first) if a.weak else (first, second)
    if _RANK[weak.kind] <= _RANK[strong.kind]:
        return strong
    if weak.kind == "f" and strong.size > 4:
        return dtypes.float64
    return settled_dtype(weak)


_choosers: list[Callable[[tuple[Any, ...], Tensor], Any]] = []


def bind_chooser(chooser: Callable[[tuple[Any, ...], Tensor], Any]) -> None:
    """Register the function that creates references to objects; `chosen` calls it once."""
    _choosers.append(chooser)


def _is_reference(form: Form) -> bool:
    return isinstance(form, Fixed) and issubclass(type(form.value), StandIn)


def _refers(form: Form) -> bool:
    """Return whether it is the form of a reference to one of several objects."""
    return isinstance(form, Nest) and hasattr(form.kind, "__autograph_refers__")


def _join_references(path: str, a: Form, b: Form) -> Form:
    """Return the form of a reference to one of several objects."""
    objects: dict[int, Any] = {}
    for form in (a, b):
        if isinstance(form, Fixed) and type(form.value) is Ref:
            objects[id(form.value.value)] = form.value.value
        elif isinstance(form, Nest) and _refers(form):
            objects.update((id(each), each) for each in form.keys.containers)
        else:
            return _join_items(path, a, b)
    one = _choosers[0](tuple(objects.values()), convert_to_tensor(0))
    if one is None:
        raise Mismatch(path, a, b)
    return form_of(one)


def _join_items(path: str, a: Form, b: Form) -> Form:
    """Join the items of a list or dict that is an existing object in one branch."""
    found = []
    for form in (a, b):
        if isinstance(form, Fixed) and issubclass(type(form.value), StandIn):
            if form.value.items is None:
                raise Mismatch(path, a, b, "one of them is an object that has another name too")
            found.append(form_of(form.value.items))
        else:
            found.append(form)
    return join(path, *found)


MOST_ALTERNATIVES = 8
"""Maximum number of alternatives of a variable: every use traces a branch for each."""


def _join_either(path: str, a: Form, b: Form) -> Form:
    """Return the form of a variable with several alternatives that have no common form."""
    parts: list[Form] = []
    for part in (*_alternatives(a), *_alternatives(b)):
        part = part if _is_apart(part) else _as_attributes(part) or _element(path, a, b, part)
        for position, other in enumerate(parts):
            joined = _joined_alternatives(part, other)
            if joined is not None:
                parts[position] = joined
                break
        else:
            parts.append(part)
    if len(parts) > MOST_ALTERNATIVES:
        raise Mismatch(path, a, b, f"it is one of more than {MOST_ALTERNATIVES} values")
    return Either(tuple(parts), path)


def _alternatives(form: Form) -> tuple[Any, ...]:
    return form.parts if isinstance(form, Either) else (form,)


def _joined_alternatives(a: Form, b: Form) -> Form | None:
    """Return the form that covers two alternatives; None if there is none."""
    if a == b:
        return a
    if _is_apart(a) or _is_apart(b):
        return None
    try:
        return join("", a, b)
    except Mismatch:
        return None


_CONSTANTS = (
    types.FunctionType, type, range, slice, type(...), type(NotImplemented), types.ModuleType, Enum,
)  # fmt: skip


def _is_apart(form: Form) -> bool:
    """Return whether it is the form of None, or of a Python object that keeps its identity."""
    return _is_constant(form) or (isinstance(form, Fixed) and type(form.value) is Ref)


def _is_constant(form: Form) -> bool:
    """Return whether it is the form of None, or of an immutable Python constant."""
    if not isinstance(form, Fixed):
        return False
    value, kind = form.value, type(form.value)
    if kind is types.BuiltinFunctionType:
        return isinstance(value.__self__, types.ModuleType)
    return value is None or kind is object or issubclass(kind, _CONSTANTS)


def _join_nests(path: str, a: Nest, b: Nest) -> Form:
    if a.kind is not b.kind:
        raise Mismatch(path, a, b)
    if a.kind is list and a.keys != b.keys:
        return _join_growing(path, a, b)
    if issubclass(a.kind, dict):
        return _join_dicts(path, a, b)
    keys = a.keys
    if a.keys != b.keys:
        joined = getattr(a.kind, "__tensor_join__", lambda x, y: None)(a.keys, b.keys)
        if joined is None and a.kind is Attributes and a.keys.kind is b.keys.kind:
            names = f"{list(a.keys.names)} and {list(b.keys.names)}"
            raise Mismatch(path, a, b, f"the attributes differ: {names}")
        if joined is None:
            raise Mismatch(path, a, b)
        keys = joined
    parts = zip(a.parts, b.parts, strict=True)
    return Nest(a.kind, keys, tuple(_joined_parts(path, a, parts)), a.like)


def _joined_parts(path: str, nest: Nest, parts: Any) -> Iterator[Form]:
    for position, (x, y) in enumerate(parts):
        yield join(part_path(path, nest, position), x, y)


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


def _join_dicts(path: str, a: Nest, b: Nest) -> Form:
    if _is_set(a):
        return _join_keyed(path, a, b)
    if a.keys != b.keys:
        if gains_keys(a.kind) and not path.startswith(RESULT):
            return _join_keyed(path, a, b)
        if set(a.keys) != set(b.keys):
            raise Mismatch(path, a, b, f"the keys differ: {list(a.keys)} and {list(b.keys)}")
        raise Mismatch(path, a, b, "the keys are in another order")
    parts = zip(a.parts, b.parts, strict=True)
    return Nest(a.kind, a.keys, tuple(_joined_parts(path, a, parts)), a.like)


def _is_set(form: Form) -> bool:
    """Return whether it is the form of a changed set, whose form refuses iteration.

    The order of the members depends on all earlier changes, in ways that Python does not expose.
    """
    return isinstance(form, Nest) and form.kind is SetMembers


def _join_keyed(path: str, a: Form, b: Form) -> Keyed:
    # The items of a Counter are carried in a dict.
    sorts = {sort for sort in map(_sort, (a, b)) if sort is not None and sort != PLAIN}
    if len(sorts) > 1 or _sort(a) is None or _sort(b) is None:
        raise Mismatch(path, a, b)
    left, right = _parts_by_key(a), _parts_by_key(b)
    parts: dict[Any, Form] = {}
    owned = []
    for key in {**left, **right}:
        if key in left and key in right:
            parts[key] = join(f"{path}[{key!r}]", left[key][0], right[key][0])
            owned.append(left[key][1] and right[key][1])
        else:
            part, is_owned = left.get(key) or right[key]
            parts[key] = _absent_or(path, a, b, part)
            owned.append(is_owned and not _is_reference(part))
    return Keyed(tuple(parts), tuple(parts.values()), tuple(owned), *sorts)


def _parts_by_key(form: Form) -> dict[Any, tuple[Form, bool]]:
    """Return the forms of the values of a dict, and whether each is owned."""
    assert isinstance(form, (Keyed, Nest))
    owned = form.owned if isinstance(form, Keyed) else (True,) * len(form.parts)
    return dict(zip(form.keys, zip(form.parts, owned, strict=True), strict=True))


def _absent_or(path: str, a: Form, b: Form, part: Form) -> Form:
    """Return the form of a value whose key exists in only one of two dicts."""
    if isinstance(part, (Growing, Keyed, Stack)) or _is_reference(part):
        return part
    if isinstance(part, Nest) and part.kind in (list, dict):
        parts = tuple(_absent_or(path, a, b, each) for each in part.parts)
        return Nest(part.kind, part.keys, parts, part.like)
    return _element(path, a, b, part)


def _sort(form: Form) -> Sort | None:
    """Return the class of a dict that may gain keys; None for other values."""
    if isinstance(form, Keyed):
        return form.sort
    if _is_set(form):
        return PLAIN
    if not isinstance(form, Nest) or not gains_keys(form.kind):
        return None
    return Sort(form.kind) if form.like is None else Sort.of(form.like)


def _join_growing(path: str, a: Form, b: Form) -> Growing:
    elements: list[Form] = []
    for form in (a, b):
        if isinstance(form, Growing):
            elements.append(form.element)
        elif isinstance(form, Nest) and form.kind is list:
            elements += [_element(path, a, b, part) for part in form.parts]
        else:
            raise Mismatch(path, a, b)
    return Growing(reduce(partial(join, f"{path}[...]"), elements))


def _element(path: str, a: Form, b: Form, part: Form) -> Form:
    """Return the form of an element of a growing list: a tensor, or a tuple of tensors."""
    if isinstance(part, Nest) and _is_immutable(part.kind):
        parts = tuple(_element(path, a, b, each) for each in part.parts)
        return Nest(part.kind, part.keys, parts)
    leaf = as_leaf(part)
    if not isinstance(leaf, Leaf) or leaf.maybe:
        raise Mismatch(
            path,
            a,
            b,
            "a list or dict that grows in a staged statement holds tensors, or tuples of tensors, "
            f"and `{path}` has {describe(part)} as an element",
        )
    return leaf


def _is_immutable(kind: type) -> bool:
    """Return whether aliases of the structure cannot change it."""
    parameters = getattr(kind, "__dataclass_params__", None)
    return issubclass(kind, tuple) or (parameters is not None and parameters.frozen)


def specs(form: Form) -> list[tuple[TensorSpec, bool]]:
    """Return the spec of each tensor of a form, and whether it is weak."""
    if isinstance(form, Leaf):
        flag = [(spec_of(dtypes.bool, ()), False)] if form.maybe else []
        return [(form.spec, form.weak), *flag]
    if isinstance(form, Growing):
        return [(spec_of(dtypes.variant, ()), False) for _ in specs(form.element)]
    if isinstance(form, Either):
        return [*(entry for part in form.parts for entry in specs(part)), _RANK_SPEC]
    if isinstance(form, Keyed):
        flags = [(spec_of(dtypes.bool, ()), False), _RANK_SPEC]
        return [each for part in form.parts for each in (*specs(part), *flags)] + [_RANK_SPEC]
    if isinstance(form, Stack):
        element = form.element.spec
        return [
            (spec_of(element.dtype, (form.count, *known(element.dims or ()))), form.element.weak)
        ]
    if isinstance(form, Nest):
        return [entry for part in form.parts for entry in specs(part)]
    return []


_RANK_SPEC = spec_of(dtypes.int32, ()), False


def places_by_key(form: Form) -> list[int]:
    """Return the positions of the tensors of a form, with the entries of each dict sorted by key.

    >>> import runtime as tf
    >>> places_by_key(form_of({"b": tf.constant(1), "a": [tf.constant(2), tf.constant(3)]}))
    [1, 2, 0]
    """
    return list(_places_by_key(form, 0))


def _places_by_key(form: Form, first: int) -> Iterator[int]:
    if not isinstance(form, Nest):
        yield from range(first, first + len(specs(form)))
        return
    starts = [first]
    for part in form.parts:
        starts.append(starts[-1] + len(specs(part)))
    for position in _sorted_positions(form):
        yield from _places_by_key(form.parts[position], starts[position])


def _sorted_positions(nest: Nest) -> Sequence[int]:
    natural = range(len(nest.parts))
    if not issubclass(nest.kind, dict):
        return natural
    try:
        return sorted(natural, key=nest.keys.__getitem__)
    except TypeError:  # keys of several types have no order but that of the dict
        return natural


def tensors(form: Form, value: Any) -> list[Tensor]:
    """Return the tensors of a value, in the layout of a form that covers it."""
    value = resolve(value)
    if isinstance(form, Fixed):
        return []
    if isinstance(form, Either):
        return _tensors_of_either(form, value)
    if issubclass(type(value), StandIn) and not _refers(form):
        value = value.items
    if isinstance(form, Leaf):
        return _leaf_tensors(form, value)
    if isinstance(form, Keyed):
        return _keyed_tensors(form, {} if type(value) is Undefined else value)
    if type(value) is Undefined:
        if isinstance(form, Growing):
            return [column.flow for column in _columns(form)]
        form = expanded(form)
        assert isinstance(form, Nest)
        return [tensor for part in form.parts for tensor in tensors(part, value)]
    if isinstance(form, Growing):
        if not isinstance(value, GrowingList):
            value = GrowingList.of(value, _columns(form), _node(form.element))
        value = value.with_dtypes([spec.dtype for spec, _ in specs(form.element)])
        return [column.flow for column in value.columns]
    if isinstance(form, Stack):
        element = form.element
        convert = partial(element_tensor, element)
        return [stack_of(value, element.spec.dtype, element.weak, convert)]
    if _refers(form):
        return [form.keys.position_of(value.value if type(value) is Ref else value)]
    level = children(Attributes(value) if form.kind is Attributes else value)
    assert level is not None
    return [t for part, v in zip(form.parts, level[1], strict=True) for t in tensors(part, v)]


def _tensors_of_either(form: Either, value: Any) -> list[Tensor]:
    values = value.__autograph_values__ if is_one_of(value) else (value,)
    places = [0 if type(each) is Undefined else _place_of(form, each) for each in values]
    held = dict(zip(places, values, strict=True))
    result = [
        tensor
        for place, part in enumerate(form.parts)
        for tensor in tensors(part, held.get(place, _ABSENT.value))
    ]
    position = convert_to_tensor(places[0])
    for number, place in enumerate(places[1:], 1):
        position = where(value.__autograph_is_at__(number), place, position)
    return [*result, position]


def alternative_of(form: Either, value: object) -> Form:
    """Return the alternative that covers a value."""
    alternative: Form = form.parts[_place_of(form, value)]
    return alternative


def _place_of(form: Either, value: object) -> int:
    """Return the index of the alternative that covers a value."""
    own = form_of(value)
    own = own if _is_apart(own) else _as_attributes(own) or as_leaf(own)
    covers = (_joined_alternatives(part, own) == part for part in form.parts)
    return list(covers).index(True)


def _keyed_tensors(form: Keyed, value: Any) -> list[Tensor]:
    held = value if isinstance(value, PartialDict) else PartialDict.of(value)
    result: list[Tensor] = []
    for key, part in zip(form.keys, form.parts, strict=True):
        entry = held.entries.get(key, _ABSENT)
        result += tensors(part, entry.value)
        result += map(convert_to_tensor, (entry.present, entry.rank))
    return [*result, convert_to_tensor(held.following)]


_ABSENT = Entry(Undefined("value"), False, 0)


def element_tensor(form: Leaf, value: object) -> Tensor:
    """Return the tensor of a value, converted to a leaf that covers it."""
    return _leaf_tensors(form, value)[0]


def _leaf_tensors(form: Leaf, value: object) -> list[Tensor]:
    dtype = form.spec.dtype
    if not form.maybe:
        if type(value) is Undefined:
            return [placeholder(form.spec)]
        if STATE.symbolic is not None and not form.weak:
            return [STATE.symbolic.carried(value, dtype)]
        return [cast_to(convert_to_tensor(value, dtype_hint=dtype), dtype)]
    if type(value) is Undefined:
        return [placeholder(form.spec), convert_to_tensor(False)]
    if isinstance(value, PossiblyUndefined):
        return [cast_to(value.held, dtype), value.defined]
    return [cast_to(convert_to_tensor(value, dtype_hint=dtype), dtype), convert_to_tensor(True)]


def value_from(form: Form, source: Iterator[Tensor]) -> Any:
    """Rebuild the value of a form from its tensors."""
    if isinstance(form, Fixed):
        return form.value
    if isinstance(form, Leaf):
        tensor = next(source)
        return PossiblyUndefined(tensor, next(source), form.maybe) if form.maybe else tensor
    if isinstance(form, Growing):
        columns = [Column(next(source), spec, weak) for spec, weak in specs(form.element)]
        return GrowingList(columns, _node(form.element)).to_list()
    if isinstance(form, Either):
        values = [_named(value_from(part, source)) for part in form.parts]
        position = next(source)
        if isinstance(position, EagerTensor):
            return values[int(position)]
        return TensorOneOf(values, position, form.path)
    if isinstance(form, Keyed):
        return _dict_from(form, source)
    if isinstance(form, Stack):
        return unstacked(weakened(next(source), form.element.weak), form.count)
    parts = [value_from(part, source) for part in form.parts]
    return rebuild(form.kind, form.keys, parts, form.like)


def _named(value: object) -> Any:
    return value.value if type(value) is Ref else value


def _dict_from(form: Keyed, source: Iterator[Tensor]) -> Any:
    """Return a dict; a Python dict if its keys are known."""
    entries = {
        key: Entry(value_from(part, source), next(source), next(source), owned)
        for key, part, owned in zip(form.keys, form.parts, form.owned, strict=True)
    }
    following = next(source)
    if not all(isinstance(entry.present, EagerTensor) for entry in entries.values()):
        return form.sort.partial(entries, following)
    present = {key: entry for key, entry in entries.items() if entry.present}
    ordered = sorted(present, key=lambda key: int(present[key].rank))
    return form.sort.known({key: present[key].value for key in ordered})


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
        return f"a list of {form.count} elements {form.element.spec}"
    if isinstance(form, Nest):
        if hasattr(form.like, "word"):
            return f"a {form.like.word}"
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
    text = repr(value)
    shown = text if len(text) <= 40 else f"{text[:37]}..."
    return f"the Python {type(value).__name__} {shown}"


def conflict(error: StagingError, none: bool) -> Fixed:
    """Return the form of a variable that raises an error like this one when used.

    Args:
      error: describes the possible values of the variable.
      none: whether one of them is None.
    """

    def refusal(use: str | None) -> StagingError:
        place = user_place() if use is None else None
        used = f"It is used here:\n  {place}" if place else use
        text = f"{error.message}\n{used}" if used else error.message
        return StagingError(text, public=error.public)

    return Fixed(Conflict(refusal, none))


def with_conflicts(
    path: str, found: Sequence[Form], refusal: Callable[[Mismatch], StagingError]
) -> Form:
    """Return the form of a variable of which only the parts without one type raise when used.

    Args:
      path: the variable, or an item of it.
      found: its forms, one for each branch.
      refusal: returns the error of a use, for a mismatch.
    """
    first = found[0]
    if isinstance(first, Nest) and first.kind in (list, dict):
        alike = (
            isinstance(form, Nest) and (form.kind, form.keys) == (first.kind, first.keys)
            for form in found
        )
        if all(alike):
            columns = enumerate(zip(*(form.parts for form in found), strict=True))  # type: ignore[union-attr]
            parts = [
                with_conflicts(part_path(path, first, i), part, refusal) for i, part in columns
            ]
            return Nest(first.kind, first.keys, tuple(parts), first.like)
    try:
        return reduce(partial(join, path), found)
    except Mismatch as mismatch:
        return conflict(refusal(mismatch), any(map(may_be_none, found)))


def is_singleton(form: Form) -> bool:
    """Return whether it is the form of None, True or False, which programs test with `is`.

    Python evaluates `is` without consulting the value, so such a value is never part of a conflict.
    """
    return isinstance(form, Fixed) and (form.value is None or type(form.value) is bool)


def is_variable(path: str) -> bool:
    """Return whether a path names a variable or a result, not an attribute or item.

    >>> is_variable("x"), is_variable("self.x"), is_variable("d['k']")
    (True, False, False)
    """
    return "." not in path and "[" not in path


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
    return any(map(is_none, _alternatives(form)))


def is_none(form: Form) -> bool:
    """Return whether it is the form of None."""
    return isinstance(form, Fixed) and form.value is None
