"""Selection of one of several Python values by an index known at run time.

Of several lists or dicts it is a reference, through which the selected one is read and changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NoReturn

import numpy as np

from autograph.operators.moved import resolve
from autograph.operators.stand_ins import has_identity, is_bound
from runtime.control_flow.cond import staged_cond
from runtime.control_flow.list_tables import (
    has_list_of_graph,
    leaf_of_rows,
    table_of,
    table_of_rows,
)
from runtime.control_flow.references import Reference, candidates_of
from runtime.control_flow.switch_case import switch_case
from runtime.control_flow.values import forms, joins, layouts
from runtime.control_flow.values.columns import Column, Rows
from runtime.control_flow.values.growing import GrowingList, assigned_by_slice
from runtime.control_flow.values.joins import Mismatch
from runtime.control_flow.values.one_of import TensorOneOf
from runtime.control_flow.values.results import without_references
from runtime.control_flow.values.stacks import row, stack_of, unstacked, with_row
from runtime.control_flow.values.staged_iterable import StagedIterable
from runtime.core import dtypes
from runtime.core.errors import OperatorNotAllowedInGraphError, StagingError, VariantError
from runtime.core.places import called, user_name
from runtime.core.static import static_value
from runtime.core.tensor import Tensor
from runtime.ops.base.convert import (
    cast_to,
    constant_of,
    convert_to_tensor,
    strong,
    weakened,
    weakness,
)
from runtime.ops.effects.output import raise_when
from runtime.ops.items.indexing import getitem
from runtime.ops.items.item_positions import as_index, item_position
from runtime.ops.math.logic import equal


def select(items: Sequence[Any], position: Any, container: Any) -> Any:
    """Return the element at an index in range; messages name the user's object that holds them.

    Raises: StagingError for elements of different kinds.
    """
    if isinstance(position, int):
        return items[position]
    first = items[0]
    if all(item is first for item in items):
        return first
    if _have_identity(items):
        objects, chosen = tuple(items), position
        if any(map(_refers, items)):
            candidates, numbers = candidates_of(items)
            objects, chosen = candidates.containers, row(_stacked(numbers), position)
        one = _reference(objects, chosen)
        if one is not None:
            return one
    if _are_alike(items) and isinstance(first, tuple):
        columns = zip(*items, strict=True)
        return _tuple_like(first, [select(column, position, container) for column in columns])
    table = table_of(items)
    if table is not None:
        return row(table, position)
    for item in items:
        if is_mutable(item):
            raise refusal(
                container,
                f"is indexed by a tensor and holds objects of the class {type(item).__name__}: "
                "which of them an assignment changes is known only when the graph runs",
                "Hold the attributes in lists, tuples or tensors of their own.",
            )
    if all(is_bound(each) or joins.is_constant(forms.form_of(each)) for each in items):
        name = f"{user_name(container) or 'items'}[...]"
        return TensorOneOf(items, cast_to(position, dtypes.int32), name)
    _check(items, container)
    return switch_case(position, [partial(_same, item) for item in items], name="item")


def _same(value: object) -> Any:
    return value


def _reference(objects: tuple[Any, ...], position: Tensor) -> Any:
    """Return a reference to one of several objects, or None if their class does not allow it."""
    if _container_kind(objects[0]) is not None:
        return ContainerReference(objects, position)
    return joins.reference_to_one(objects, position)


def _have_identity(items: Sequence[Any]) -> bool:
    """Return whether all items are lists of known length, all dicts, or all objects."""
    kinds = set(map(_container_kind, items))
    if kinds in ({list}, {dict}):
        return True
    return kinds == {None} and all(
        _refers(item) or (has_identity(item) and not isinstance(item, GrowingList))
        for item in items
    )


def _refers(item: object) -> bool:
    return isinstance(item, Reference)


def _stacked(numbers: list[Tensor]) -> Tensor:
    return stack_of(numbers, dtypes.int32, False, convert_to_tensor)


def _container_kind(item: object) -> type | None:
    """Return `list` for a list of known length, `dict` for a dict, None for other values."""
    if isinstance(item, ContainerReference):
        return item._kind
    if type(item) is GrowingList:
        return None if item.known_length is None else list
    return type(item) if type(item) in (list, dict) else None


def is_mutable(item: object) -> bool:
    """Return whether a program can change the object, so that a choice among such objects is no
    value.
    """
    if isinstance(item, (list, dict, set, np.ndarray, ContainerReference)):
        return True
    return has_identity(item) and not callable(item)


def _are_alike(items: Sequence[Any]) -> bool:
    """Return whether all items are tuples of one class and length."""
    one_class = len(set(map(type, items))) == 1
    return one_class and isinstance(items[0], tuple) and len(set(map(len, items))) == 1


def _tuple_like(pattern: Any, parts: Sequence[Any]) -> Any:
    kind = type(pattern)
    return kind(*parts) if hasattr(kind, "_fields") else kind(parts)


def _check(items: Sequence[Any], container: object) -> None:
    """Raise StagingError if no form covers all elements."""
    joined = forms.form_of(items[0])
    for number, item in enumerate(items[1:], 1):
        try:
            joined = joins.join("item", joined, forms.form_of(item))
        except Mismatch as mismatch:
            first, other = forms.describe(mismatch.left), forms.describe(mismatch.right)
            raise refusal(
                container,
                f"is indexed by a tensor and holds {first}, and {other} as element {number}: a "
                "graph chooses among values of one type",
                "Use elements of one type, or a list for each kind of value.",
            ) from None


def refusal(container: object, what: str, remedy: str) -> StagingError:
    """Return the error for an operation on a container that a graph cannot do."""
    return StagingError(f"{subject_of(container)} {what}.", remedy=remedy, public=VariantError)


def subject_of(container: Any) -> str:
    """Return the user's name of a container, or its class."""
    is_reference = isinstance(container, ContainerReference)
    return called(container, f"a {container.word if is_reference else type(container).__name__}")


def replace(items: Sequence[Any], position: Any, value: Any, container: object) -> list[Any]:
    """Return the elements with the one at a position in range replaced.

    Raises:
      StagingError: for elements without a common type, and for lists, dicts and arrays, whose
        choice would be a copy.
    """
    if isinstance(position, int):
        return [*items[:position], value, *items[position + 1 :]]
    together = (*items, value)
    if _have_identity(together):
        references = _referring(items, position, value)
        if references is not None:
            return references
    if any(map(is_mutable, together)):
        raise refusal(
            container,
            "gets a list, dict, array or other object as the item at an index that is a tensor: "
            "which of its items are other objects afterwards is known only when the graph runs",
            "Assign the items of the list there one by one, or use tuples or tensors as elements.",
        )
    if _are_alike(together) and isinstance(value, tuple):
        columns = zip(*items, strict=True)
        parts = [
            replace(column, position, part, container)
            for column, part in zip(columns, value, strict=True)
        ]
        return [_tuple_like(value, entry) for entry in zip(*parts, strict=True)]
    leaf = joins.common_leaf_of(together)
    if leaf is not None:
        table = table_of(items, leaf)
        assert table is not None
        changed = with_row(table, (position,), layouts.element_tensor(leaf, value))
        return unstacked(changed, len(items))
    name = f"{user_name(container) or type(container).__name__}[...]"
    return [_select(equal(position, place), value, item, name) for place, item in enumerate(items)]


def _referring(items: Sequence[Any], position: Tensor, value: Any) -> list[Any] | None:
    """Return references in place of lists, dicts or objects, of which one is replaced; None if
    their class does not allow it.
    """
    candidates, (*numbers, new) = candidates_of((*items, value))
    changed = with_row(_stacked(numbers), (position,), new)
    places = unstacked(changed, len(items))
    found = [_reference(candidates.containers, place) for place in places]
    return None if found[0] is None else found


def _select(test: Tensor, new: object, old: object, name: str) -> Any:
    return staged_cond(test, lambda: (new,), lambda: (old,), (name,))[0]


def known_index(index: object) -> int | None:
    """Return an index known during tracing, or None."""
    if isinstance(index, int):
        return int(index)
    value = static_value(convert_to_tensor(index))
    return None if value is None else int(value)


class ContainerReference(Reference, StagedIterable):
    """A reference to one of several lists or dicts, selected at run time.

    Reads see the current contents of the containers, and assignments of items change the selected
    one, as with the object itself.
    """

    @property
    def _containers(self) -> tuple[Any, ...]:
        """The objects, or what has their items; raises if the length of one is not known."""
        found = tuple(map(resolve, self.__autograph_objects__))
        if any(_container_kind(each) is None for each in found):
            word = self._kind.__name__
            raise refusal(
                self,
                f"may be a {word} that grows or shrinks in a staged statement after the choice",
                f"Choose after the statement, or from copies, for instance {word}(x).",
            )
        return found

    @property
    def is_live(self) -> bool:
        """True."""
        return True

    @property
    def word(self) -> str:
        """The name in messages."""
        return f"{self._kind.__name__} that was chosen by a tensor"

    @property
    def _kind(self) -> type:
        first = self.__autograph_objects__[0]
        return list if isinstance(first, GrowingList) else type(first)

    def __autograph_type__(self) -> type:
        """Return the class of the objects."""
        return self._kind

    @property
    def _is_dict(self) -> bool:
        return issubclass(self._kind, dict)

    def length(self) -> Any:
        """Return the number of items: an int if equal for all containers, else an int32 scalar."""
        lengths = list(map(len, self._containers))
        if len(set(lengths)) == 1:
            return lengths[0]
        return row(constant_of(np.array(lengths, np.int32)), self.__autograph_position__)

    def item(self, index: object) -> Any:
        """Return item number `index`, or key number `index` of a dict; the index is in range."""
        if self._is_dict:
            return select(self._keys(), index, self)
        return self._entry(index)

    def _keys(self) -> list[Any]:
        keys = list(self._containers[0])
        if any(list(each) != keys for each in self._containers):
            self._refuse("is a dict whose keys depend on which one it is")
        return keys

    def _refuse(self, what: str) -> NoReturn:
        raise refusal(
            self,
            f"{what}, which a graph cannot do: only when it runs is it known which of "
            f"{len(self.__autograph_objects__)} it is",
            "Read and assign single items, or do it to each by name in the branches of an `if`.",
        )

    def _rows(self) -> Sequence[Any]:
        """Return the lists, padded to one length; the padding is never selected."""
        containers = self._containers
        longest = max(map(len, containers))
        if all(len(each) == longest for each in containers):
            return containers
        filler = next(each[0] for each in containers if each)
        return [[*each, *[filler] * (longest - len(each))] for each in containers]

    def _entry(self, place: object) -> Any:
        rows = self._rows()
        if isinstance(place, int) and not has_list_of_graph(rows):
            return select([each[place] for each in rows], self.__autograph_position__, self)
        return _of_rows(rows, self.__autograph_position__, place, self)

    def _place(self, index: object, message: str) -> Any:
        """Return a nonnegative, checked index; an int if it is known during tracing."""
        length, known = self.length(), known_index(index)
        if isinstance(length, int):
            if known is not None and -length <= known < length:
                return known % length
            if known is not None or not length:
                raise IndexError(message)
        tensor = as_index(convert_to_tensor(index))
        return item_position(tensor, length, message)

    def __getitem__(self, key: object) -> Any:
        if isinstance(key, slice):
            return self._slice(key)
        if self._is_dict:
            return self._value(key)
        return self._entry(self._place(key, "list index out of range"))

    def _slice(self, key: slice) -> Any:
        length = self.length()
        bounds = (key.start, key.stop, key.step)
        is_known = isinstance(length, int) and not any(isinstance(each, Tensor) for each in bounds)
        if is_known and not has_list_of_graph(self._containers):
            return [self._entry(place) for place in range(*key.indices(length))]
        table = self._table()
        if is_known:
            return GrowingList([Rows(table)])[key]
        return growing_list(table if isinstance(length, int) else table[:length], key)

    def _table(self) -> Tensor:
        """Return all items as one tensor; shorter lists are padded."""
        whole = table_of_rows(self._rows())
        if whole is None:
            self._refuse("has items of several types")
        return row(whole, self.__autograph_position__)

    def _value(self, key: object) -> Any:
        missing = [place for place, each in enumerate(self._containers) if key not in each]
        present = [each[key] for each in self._containers if key in each]
        if not present:
            raise KeyError(key)
        for place in missing:
            raise_when(equal(self.__autograph_position__, place), KeyError(key))
        values = [each.get(key, present[0]) for each in self._containers]
        return select(values, self.__autograph_position__, self)

    def __setitem__(self, key: object, value: object) -> None:
        if isinstance(key, slice):
            self._set_slice(key, value)
        elif self._is_dict:
            if any(key not in each for each in self._containers):
                self._refuse(f"gets the key {key!r}")
            self._set_column(list(self._containers), key, value)
        else:
            place = self._place(key, "list assignment index out of range")
            self._set_entry(place, value)

    def __delitem__(self, key: object) -> NoReturn:
        """Raise: of several containers one would lose an item."""
        self._refuse("loses an item")

    def _set_slice(self, key: slice, value: Any) -> None:
        length, values = self.length(), list(value)
        if not isinstance(length, int):
            self._refuse("gets other items for a slice")
        pairs = assigned_by_slice(key, length, values)
        if pairs is None:
            self._refuse("gets a slice of another length")
        for place, item in pairs:
            self._set_entry(place, item)

    def _set_column(self, containers: list[Any], key: object, value: object) -> None:
        column = [each[key] for each in containers]
        for each, item in zip(
            containers, replace(column, self.__autograph_position__, value, self), strict=True
        ):
            each[key] = item

    def _set_entry(self, place: object, value: object) -> None:
        rows = self._rows()
        is_known = isinstance(place, int) and isinstance(self.length(), int)
        if is_known and not has_list_of_graph(rows):
            self._set_column(list(self._containers), place, value)
            return
        places = (self.__autograph_position__, place)
        changed = _with_entry(rows, places, value, self)
        for each, items in zip(self.__autograph_objects__, changed, strict=True):
            length = len(resolve(each))
            _refill(each, items if len(items) == length else items[:length])

    def __getattr__(self, name: str) -> Any:
        """Raise for methods of a list or dict that are not supported."""
        kind = self._kind
        if not hasattr(kind, name):
            raise AttributeError(f"'{kind.__name__}' object has no attribute {name!r}")
        self._refuse(f"is asked for `{name}`")

    def __add__(self, other: Any) -> Any:
        """Return a list of the items of both."""
        return NotImplemented if self._is_dict else self[:] + other

    def __radd__(self, other: Any) -> Any:
        return NotImplemented if self._is_dict else other + self[:]

    def __mul__(self, count: Any) -> Any:
        """Return a list that repeats the items."""
        return NotImplemented if self._is_dict else self[:] * count

    __rmul__ = __mul__

    def __iadd__(self, other: Any) -> Any:
        """Raise: the selected list would grow, with all of its names."""
        self._refuse("grows by `+=`")

    def __imul__(self, count: Any) -> Any:
        """Raise: the selected list would grow or shrink, with all of its names."""
        self._refuse("grows by `*=`")

    def __autograph_copied__(self) -> Any:
        """Return a copy of the selected list or dict, without references."""
        return without_references(self.copy())

    def copy(self) -> Any:
        """Return a list or dict with the same items."""
        if self._is_dict:
            return {key: self._value(key) for key in self._keys()}
        return self[:]

    def get(self, key: object, default: object = None) -> Any:
        """Return the value of a key, or the default."""
        if all(key not in each for each in self._containers):
            return default
        values = [each.get(key, default) for each in self._containers]
        return select(values, self.__autograph_position__, self)

    def __len__(self) -> int:
        """Return the number of items. Raises StagingError if it is known only at run time."""
        length = self.length()
        if isinstance(length, int):
            return length
        self._refuse_now("its length")

    def __bool__(self) -> bool:
        """Return whether there are items. Raises StagingError if known only at run time."""
        filled = set(map(bool, self._containers))
        if len(filled) == 1:
            return filled.pop()
        self._refuse_now("its truth")

    def _refuse_now(self, what: str) -> NoReturn:
        raise StagingError(
            f"{subject_of(self)} is asked for {what} by Python, which is known only when the graph "
            "runs.",
            remedy="Do that in code that is converted.",
            public=OperatorNotAllowedInGraphError,
        )

    def __iter__(self) -> Iterator[Any]:
        return iter([self.item(place) for place in range(len(self))])

    def __autograph_items__(self) -> Any:
        """Return the items of lists of equal length as a list; otherwise the reference itself."""
        if self._is_dict or type(self.length()) is not int:
            return self
        return self[:] if has_list_of_graph(self._containers) else list(self)

    def __eq__(self, other: object) -> bool:
        """Raise: the items are known only at run time."""
        if self is other:
            return True
        self._refuse("is compared")

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        kind = self._kind.__name__
        return f"<one of {len(self.__autograph_objects__)} {kind}s>"


# Messages show the class name to users.
ContainerReference.__name__ = ContainerReference.__qualname__ = "reference"


def _refill(container: Any, items: Any) -> None:
    """Give a list other items."""
    held = resolve(container)
    if not isinstance(held, GrowingList):
        container[:] = items
        return
    table = table_of(items)
    assert table is not None
    held.columns = (Rows(table),)


def _of_rows(rows: Sequence[Any], position: Tensor, place: Any, container: object) -> Any:
    """Return `rows[position][place]` for rows of equal length."""
    first = None if has_list_of_graph(rows) else rows[0][0]
    if isinstance(first, tuple) and _are_alike([item for each in rows for item in each]):
        parts = [
            _of_rows([[item[part] for item in each] for each in rows], position, place, container)
            for part in range(len(first))
        ]
        return _tuple_like(first, parts)
    whole = table_of_rows(rows)
    if whole is not None:
        return row(row(whole, position), convert_to_tensor(place))
    number = position * len(rows[0]) + place
    return select([item for each in rows for item in each], number, container)


def _with_entry(
    rows: Sequence[Any], places: tuple[Tensor, Any], value: object, container: object
) -> Sequence[Any]:
    """Return the rows, of equal length, with one entry replaced."""
    if isinstance(value, tuple) and _are_alike([*(item for each in rows for item in each), value]):
        columns = [
            _with_entry(
                [[item[part] for item in each] for each in rows], places, value[part], container
            )
            for part in range(len(value))
        ]
        return [
            [_tuple_like(value, entry) for entry in zip(*each, strict=True)]
            for each in zip(*columns, strict=True)
        ]
    leaf = leaf_of_rows(rows, value)
    if leaf is None:
        raise refusal(
            container,
            "gets an item of another type or shape at an index that is a tensor",
            "Use elements of one type, or a list for each kind of value.",
        )
    whole = table_of_rows(rows, leaf)
    assert whole is not None
    position, place = places
    at = (position, cast_to(convert_to_tensor(place), position.dtype))
    changed = unstacked(with_row(whole, at, layouts.element_tensor(leaf, value)), len(rows))
    if has_list_of_graph(rows):
        return [GrowingList([Rows(each)]) for each in changed]
    return [unstacked(each, len(rows[0])) for each in changed]


def growing_list(table: Tensor, key: slice) -> GrowingList:
    """Return a slice of the rows of a tensor, as a growing list."""
    taken = getitem(strong(table), key)
    return GrowingList([Column.from_rows(weakened(taken, weakness(table)))])
