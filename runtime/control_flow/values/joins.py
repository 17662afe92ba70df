"""Joins: the least form that covers two others.

A branch or loop needs one form for all values of a variable.
"""

from __future__ import annotations

import types
from collections.abc import Iterable, Iterator
from enum import Enum
from functools import partial, reduce
from typing import Any

import numpy as np

from autograph.operators.stand_ins import Ref, StandIn, is_bound
from autograph.operators.variables import is_generated, with_none
from autograph.reach.classes import is_plain_object, is_record, program_class
from autograph.reach.places import SetMembers
from autograph.staging import ProgramName, library_of, optional
from runtime.control_flow.values.forms import (
    PLAIN_DICT,
    RESULT,
    DictKind,
    Either,
    Fixed,
    Form,
    Growing,
    Keyed,
    Leaf,
    Nest,
    Stack,
    alike_besides_items,
    alternatives,
    as_leaf,
    describe,
    form_of,
    gains_keys,
    is_conflict,
    is_none,
    is_reference,
    is_undefined,
    may_be_none,
    part_path,
    refers,
)
from runtime.control_flow.values.merged_objects import Attributes, Kept, is_mergeable
from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.errors import StagingError
from runtime.core.shapes import element_count, generalize
from runtime.core.spec import joined_weakness, spec_of
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import Tensor
from runtime.core.thread import STATE
from runtime.ops.base.convert import convert_to_tensor, default_dtype
from runtime.ops.base.mismatches import conversion_call


class Mismatch(Exception):
    """No form covers two values of one variable, which `path` names, or a part of it."""

    def __init__(self, path: str, left: Form, right: Form, reason: str = "") -> None:
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


def common_leaf_of(items: Iterable[Any]) -> Leaf | None:
    """Return the leaf that covers all elements of a list with one known shape, or None."""
    # Lists can be long, but have few kinds of elements.
    kinds: dict[Any, Any] = {}
    ints = []
    for item in items:
        if type(item) is int:
            ints.append(item)
        elif isinstance(item, SymbolicTensor):
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
    for part in _kinds_of(parts):
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


def _kinds_of(parts: Iterable[Form]) -> list[Form]:
    """Return the forms without repetitions, and of those of ints the least and the greatest."""
    kinds: dict[Any, Form] = {}
    ints: dict[int, Form] = {}
    for part in parts:
        value = part.value if type(part) is Fixed else None
        if type(value) is int:
            ints[value] = part
        else:
            kinds[type(value) if type(value) in (bool, float) else id(part)] = part
    ends = {min(ints), max(ints)} if ints else ()
    return [*(ints[end] for end in ends), *kinds.values()]


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
    apart = is_constant(a) or is_constant(b) or _differ(a, b) or _no_dtype_covers(a, b)
    if apart and isinstance(path, ProgramName):
        return _join_either(path, a, b)
    return _join_alike(path, a, b)


def join_or_none(path: str, a: Form, b: Form) -> Form | None:
    """Return the least form that covers both; None if there is none."""
    try:
        return join(path, a, b)
    except Mismatch:
        return None


def _join_alike(path: str, a: Form, b: Form) -> Form:
    """Return the least form that covers two forms of one kind."""
    if is_reference(a) or is_reference(b) or (refers(a) and refers(b)):
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
    if _is_new_callable(a) or _is_new_callable(b):
        raise Mismatch(path, a, b, _NEW_CALLABLE)
    raise Mismatch(path, a, b)


_NEW_CALLABLE = "make the object of a method, or a partial, before the statement that chooses it"


def _is_new_callable(form: Form) -> bool:
    """Return whether it is the form of a method or partial that a staged statement makes."""
    return isinstance(form, Fixed) and is_bound(form.value)


def _no_dtype_covers(a: Form, b: Form) -> bool:
    """Return whether two scalars of a NumPy program are an int of NumPy and a float of any kind.

    `best = np.inf` and `best = x[i]` leave an infinity, a float of Python, or an int of NumPy.
    """
    one, other = _number(a), _number(b)
    if one is None or other is None:
        return False
    ints = [leaf for leaf in (one, other) if leaf.spec.dtype.kind != "f"]
    return len(ints) == 1 and ints[0].weak is not True


def _number(form: Form) -> Leaf | None:
    """Return the form of a real number of a NumPy program as a leaf; None for other values."""
    leaf = as_leaf(form)
    is_number = (
        isinstance(leaf, Leaf)
        and STATE.symbolic is not None
        and leaf.spec.dims == ()
        and leaf.spec.dtype.kind in "iuf"
    )
    return leaf if isinstance(leaf, Leaf) and is_number else None


def _differ(a: Form, b: Form) -> bool:
    """Return whether two forms are those of objects of two classes of the program."""
    one, other = _class_of(a), _class_of(b)
    return one is not None and other is not None and one is not other


def _class_of(form: Form) -> type | None:
    """Return the class of the object of the program with a form; None for other values."""
    if refers(form):
        assert isinstance(form, Nest)
        kind = type(form.keys.containers[0])
    elif isinstance(form, Nest):
        kind = form.keys.kind if form.kind is Attributes else form.kind
    elif isinstance(form, Fixed):
        kind = type(form.value.value if type(form.value) is Ref else form.value)
    else:
        return None
    return program_class(kind) if is_plain_object(kind) or _is_data_class(kind) else None


def _is_data_class(kind: type) -> bool:
    """Return whether objects of a class have named fields."""
    return any(hasattr(kind, name) for name in ("__dataclass_fields__", "__attrs_attrs__"))


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
    if isinstance(other, Fixed) and issubclass(type(other.value), StandIn):
        items = other.value.items
        is_array = hasattr(type(items), "__autograph_carried__")
        return _perhaps(path, undefined, form_of(items)) if is_array else None
    if isinstance(other, Nest) and _tells_if_assigned(path, other.kind):
        if not other.parts:
            return None  # No tensor of it could tell whether it was assigned.
        # The elements of an array tell whether it was assigned.
        first = 1 if _is_array(other.kind) else len(other.parts)
        parts = [_perhaps(path, undefined, part) for part in other.parts[:first]]
        parts += other.parts[first:]
        known = tuple(part for part in parts if part is not None)
        return Nest(other.kind, other.keys, known, other.like) if len(known) == len(parts) else None
    leaf = as_leaf(other)
    return Leaf(leaf.spec, leaf.weak, leaf.maybe or path) if isinstance(leaf, Leaf) else None


def _tells_if_assigned(path: str, kind: type) -> bool:
    """Return whether a structure of tensors that may be undefined refuses its use.

    So do arrays of NumPy programs, but `hasattr` does not ask an array.
    """
    is_array = hasattr(kind, "__autograph_carried__") and path.isidentifier()
    return is_array or not hasattr(kind, "__tensor_flatten__")


def _join_stack(path: str, a: Form, b: Form) -> Form:
    """Return one tensor for both lists if their elements allow it, else one tensor per element."""
    if isinstance(a, Growing) or isinstance(b, Growing):
        return _join_growing(path, a, b)
    left, right = _expanded_list(a), _expanded_list(b)
    if isinstance(left, Nest) and isinstance(right, Nest) and left.keys == right.keys:
        leaf = common_leaf((*left.parts, *right.parts))
        if leaf is not None:
            return Stack(leaf, left.keys)
        if any(isinstance(form, Stack) and isinstance(form.element, Stack) for form in (a, b)):
            row = reduce(partial(join, path), (*left.parts, *right.parts))
            if isinstance(row, Stack):
                return Stack(row, left.keys)
    return join(path, left, right)


def _expanded_list(form: Form) -> Form:
    if not isinstance(form, Stack):
        return form
    return Nest(list, form.count, (form.element,) * form.count)


def _join_leaves(path: str, a: Leaf, b: Leaf) -> Leaf:
    dims = generalize(a.spec.dims, b.spec.dims)
    maybe = a.maybe or b.maybe
    of_python = STATE.symbolic is None or (a.weak is True and b.weak is True)
    mixed = of_python and {a.spec.dtype.kind, b.spec.dtype.kind} in _INT_AND_FLOAT
    weak = joined_weakness(a.weak, b.weak, mixed)
    if a.spec.dtype is b.spec.dtype:
        return Leaf(spec_of(a.spec.dtype, dims), weak, maybe)
    target = _common(a, b)
    if target is None:
        raise Mismatch(path, a, b)
    return Leaf(spec_of(target, dims), weak, maybe)


_INT_AND_FLOAT = ({"i", "f"}, {"u", "f"})
_RANK = {"i": 1, "u": 1, "f": 2, "c": 3}


def _common(a: Leaf, b: Leaf) -> DType | None:
    """Return the common dtype of a Python number and another value; None if it is ambiguous."""
    first, second = a.spec.dtype, b.spec.dtype
    if first.kind not in _RANK or second.kind not in _RANK:
        return None
    if not (a.weak or b.weak):
        return _holding(a, b)
    if a.weak and b.weak:
        return max(first, second, key=lambda dtype: (_RANK[dtype.kind], dtype.size))
    strong, weak = (second, first) if a.weak else (first, second)
    if STATE.symbolic is None and weak is dtypes.int64 and strong.is_integer and strong.size < 8:
        return weak  # that of ints which do not fit into 32 bits
    if _RANK[weak.kind] <= _RANK[strong.kind]:
        return strong
    if weak.kind == "f" and strong.size >= 4:
        return dtypes.float64  # holds every 32-bit int
    return default_dtype(weak)


def _holding(a: Leaf, b: Leaf) -> DType | None:
    """Return int64 or float64 if one is that and a Python number on some ways, and holds both."""
    for one, other in ((a, b), (b, a)):
        wide, narrow = one.spec.dtype, other.spec.dtype
        holds = wide in (dtypes.int64, dtypes.float64) and narrow.is_integer and narrow.size <= 4
        if one.weak is not False and holds:
            return wide
    return None


def reference_to_one(objects: tuple[Any, ...], position: Tensor) -> Any:
    """Return a reference to one of several objects, or None if their class does not allow it.

    The staging library makes references: they are values that it stages.
    """
    return optional(library_of(position), "reference_to_one")(objects, position)


def _join_references(path: str, a: Form, b: Form) -> Form:
    """Return the form of a reference to one of several objects."""
    objects: dict[int, Any] = {}
    for form in (a, b):
        if isinstance(form, Fixed) and type(form.value) is Ref:
            objects[id(form.value.value)] = form.value.value
        elif isinstance(form, Nest) and refers(form):
            objects.update((id(each), each) for each in form.keys.containers)
        else:
            return _join_items(path, a, b)
    one = reference_to_one(tuple(objects.values()), convert_to_tensor(0))
    return _join_items(path, a, b) if one is None else form_of(one)


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
    for part in (*alternatives(a), *alternatives(b)):
        part = _alternative(path, a, b, part)
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


def _alternative(path: str, a: Form, b: Form, part: Form) -> Form:
    """Return the form of a value as one of several alternatives."""
    if _is_apart(part):
        return part
    if _is_new_callable(part):
        raise Mismatch(path, a, b, _NEW_CALLABLE)
    if isinstance(part, Nest) and (part.kind in (list, dict) or is_record(part.kind)):
        parts = tuple(_alternative(path, a, b, each) for each in part.parts)
        return Nest(part.kind, part.keys, parts, part.like)
    return _as_attributes(part) or _element(path, a, b, part)


def _joined_alternatives(a: Form, b: Form) -> Form | None:
    """Return the form that covers two alternatives; None if there is none."""
    if a == b:
        return a
    if is_constant(a) or is_constant(b) or _has_identity(a) != _has_identity(b):
        return None
    if _are_of_two_kinds(a, b):
        return None
    return join_or_none("", a, b)


def _are_of_two_kinds(a: Form, b: Form) -> bool:
    """Return whether two numbers of a NumPy program are of two classes, which they keep."""
    one, other = _number(a), _number(b)
    if one is None or other is None:
        return False
    if None in (one.weak, other.weak):
        return _no_dtype_covers(a, b)
    is_same = (one.spec.dtype.kind == "f") is (other.spec.dtype.kind == "f")
    return one.weak is not other.weak or not is_same


_CONSTANTS = (
    types.FunctionType, type, range, slice, type(...), type(NotImplemented), types.ModuleType, Enum,
)  # fmt: skip


def _is_apart(form: Form) -> bool:
    """Return whether it is the form of None, or of a Python object that keeps its identity."""
    return is_constant(form) or _has_identity(form)


def _has_identity(form: Form) -> bool:
    """Return whether it is the form of an existing object, or of one of several."""
    return refers(form) or (isinstance(form, Fixed) and type(form.value) is Ref)


def is_constant(form: Form) -> bool:
    """Return whether it is the form of None, or of an immutable Python constant."""
    if not isinstance(form, Fixed):
        return False
    value, kind = form.value, type(form.value)
    if kind is types.BuiltinFunctionType:
        return isinstance(value.__self__, types.ModuleType)
    if kind is types.MethodType:
        return is_constant(Fixed(value.__self__))
    if kind is Ref and is_bound(value.value):
        return True
    return value is None or kind is object or issubclass(kind, _CONSTANTS)


def _join_nests(path: str, a: Nest, b: Nest) -> Form:
    if a.kind is not b.kind:
        raise Mismatch(path, a, b)
    if a.kind is list and a.keys != b.keys:
        return _join_growing(path, a, b)
    if issubclass(a.kind, (dict, tuple)) and not alike_besides_items(a.like, b.like):
        raise Mismatch(path, a, b, "they differ in more than their items")
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
    kinds = {kind for kind in map(_dict_kind, (a, b)) if kind is not None and kind != PLAIN_DICT}
    if len(kinds) > 1 or _dict_kind(a) is None or _dict_kind(b) is None:
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
            owned.append(is_owned and not is_reference(part))
    return Keyed(tuple(parts), tuple(parts.values()), tuple(owned), *kinds)


def _parts_by_key(form: Form) -> dict[Any, tuple[Form, bool]]:
    """Return the forms of the values of a dict, and whether each is owned."""
    assert isinstance(form, (Keyed, Nest))
    owned = form.owned if isinstance(form, Keyed) else (True,) * len(form.parts)
    return dict(zip(form.keys, zip(form.parts, owned, strict=True), strict=True))


def _absent_or(path: str, a: Form, b: Form, part: Form) -> Form:
    """Return the form of a value whose key exists in only one of two dicts."""
    if isinstance(part, (Growing, Keyed, Stack)) or is_reference(part):
        return part
    if isinstance(part, Nest) and part.kind in (list, dict):
        parts = tuple(_absent_or(path, a, b, each) for each in part.parts)
        return Nest(part.kind, part.keys, parts, part.like)
    return _element(path, a, b, part)


def _dict_kind(form: Form) -> DictKind | None:
    """Return the class of a dict that may gain keys; None for other values."""
    if isinstance(form, Keyed):
        return form.kind
    if _is_set(form):
        return PLAIN_DICT
    if not isinstance(form, Nest) or not gains_keys(form.kind):
        return None
    return DictKind(form.kind) if form.like is None else DictKind.of(form.like)


def _join_growing(path: str, a: Form, b: Form) -> Growing:
    elements: list[Form] = []
    for form in (a, b):
        if isinstance(form, Growing) or (
            isinstance(form, Stack) and isinstance(form.element, Leaf)
        ):
            elements.append(form.element)
        elif isinstance(form, Nest) and form.kind is list:
            elements += [_element(path, a, b, part) for part in form.parts]
        else:
            raise Mismatch(path, a, b)
    return Growing(reduce(partial(join, f"{path}[...]"), elements))


def _element(path: str, a: Form, b: Form, part: Form) -> Form:
    """Return the form of an element of a growing list: a tensor, array or tuple of them."""
    if isinstance(part, Fixed) and type(part.value) is Ref:
        kind = type(part.value.value)
        part = form_of(part.value.value) if issubclass(kind, tuple) or _is_array(kind) else part
    if isinstance(part, Nest) and (_is_immutable(part.kind) or _is_array(part.kind)):
        parts = tuple(_element(path, a, b, each) for each in part.parts)
        return Nest(part.kind, getattr(part.kind, "__autograph_item__", part.keys), parts)
    leaf = as_leaf(part)
    if not isinstance(leaf, Leaf) or leaf.maybe:
        raise Mismatch(
            path,
            a,
            b,
            "a list or dict that grows in a staged statement holds tensors, or tuples of tensors, "
            f"and `{path}` has {describe(part)} as an element: make it a tuple",
        )
    return leaf


def _is_array(kind: type) -> bool:
    return hasattr(kind, "__autograph_carried__") and hasattr(kind, "__tensor_flatten__")


def _is_immutable(kind: type) -> bool:
    """Return whether aliases of the structure cannot change it."""
    parameters = getattr(kind, "__dataclass_params__", None)
    return issubclass(kind, tuple) or (parameters is not None and parameters.frozen)


def place_of(form: Either, value: object) -> int:
    """Return the index of the alternative that covers a value.

    Raises: StagingError if none does.
    """
    for own in _forms_of(value):
        for position, part in enumerate(form.parts):
            if _joined_alternatives(part, own) == part:
                return position
    raise StagingError(
        f"`{form.path}` is one of several values, as a staged statement decides, and "
        f"{describe(own)} is of none of their types.",
        remedy="Give it values of one type.",
    )


def _forms_of(value: object) -> Iterator[Form]:
    """Yield the form of a value as an alternative; of an existing object, its contents, too."""
    own = form_of(value)
    yield own if _is_apart(own) else _as_attributes(own) or as_leaf(own)
    if type(value) is Ref and value.items is not None:
        yield form_of(value.items)
