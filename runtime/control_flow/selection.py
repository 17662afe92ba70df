"""Selection among Python values by an index known at run time.

A list of lists is a table: `table[i]` is a `TableRow`, and `table[i][j]` an item.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from types import MethodType
from typing import Any, NoReturn

import numpy as np

from autograph.operators.moved import resolve
from autograph.operators.stand_ins import has_identity
from runtime.control_flow.cond import staged_cond
from runtime.control_flow.switch_case import switch_case
from runtime.control_flow.values import forms, joins, layouts
from runtime.control_flow.values.columns import Column
from runtime.control_flow.values.forms import Formed, FormOf, Leaf
from runtime.control_flow.values.growing import GrowingList
from runtime.control_flow.values.joins import Mismatch
from runtime.control_flow.values.one_of import TensorOneOf
from runtime.control_flow.values.stacks import row, stack_of, strengthened, unstacked, with_row
from runtime.control_flow.values.staged_iterable import StagedIterable
from runtime.core import dtypes
from runtime.core.errors import StagingError, VariantError
from runtime.core.places import user_name
from runtime.core.static import static_value
from runtime.core.tensor import Tensor
from runtime.ops.base.convert import cast_to, constant_of, convert_to_tensor, weakened, weakness
from runtime.ops.items.indexing import getitem
from runtime.ops.items.item_positions import as_index, item_position
from runtime.ops.math.logic import equal


def table_of(items: Sequence[Any], leaf: Leaf | None = None) -> Tensor | None:
    """Stack the elements as the rows of one tensor; None without a common dtype and shape.

    `leaf` is a form that covers them, if it is known.
    """
    leaf = leaf or joins.common_leaf_of(items)
    if leaf is None:
        return None
    convert = partial(layouts.element_tensor, leaf)
    return stack_of(items, leaf.spec.dtype, leaf.weak, convert)


def select(items: Sequence[Any], position: Any, container: Any) -> Any:
    """Return the element at an index in range; messages name the user's object that holds them.

    Raises: StagingError for elements of different kinds.
    """
    if isinstance(position, int):
        return items[position]
    first = items[0]
    if all(item is first for item in items):
        return first
    if all(type(item) is list for item in items):
        return TableRow(items, position)
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
                "Hold the attributes, or the values of each key, in lists or tensors of their own.",
            )
    if all(type(each) is MethodType or joins.is_constant(forms.form_of(each)) for each in items):
        name = f"{user_name(container) or 'items'}[...]"
        return TensorOneOf(items, cast_to(position, dtypes.int32), name)
    _check(items, container)
    return switch_case(position, [partial(_same, item) for item in items], name="item")


def _same(value: object) -> Any:
    return value


def is_mutable(item: object) -> bool:
    """Return whether a program can change the object, so that a choice among such objects is no
    value.
    """
    if isinstance(item, (list, dict, set, np.ndarray, TableRow)):
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


def subject_of(container: object) -> str:
    """Return the user's name of a container, or its class."""
    called = user_name(container)
    return f"`{called}`" if called else f"a {type(container).__name__}"


def replace(items: Sequence[Any], position: Any, value: Any, container: object) -> list[Any]:
    """Return the elements with the one at a position in range replaced.

    Raises:
      StagingError: for elements without a common type, and for lists, dicts and arrays, whose
        choice would be a copy.
    """
    if isinstance(position, int):
        return [*items[:position], value, *items[position + 1 :]]
    together = (*items, value)
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


def _select(test: Tensor, new: object, old: object, name: str) -> Any:
    return staged_cond(test, lambda: (new,), lambda: (old,), (name,))[0]


def known_index(index: object) -> int | None:
    """Return an index known during tracing, or None."""
    if isinstance(index, int):
        return int(index)
    value = static_value(convert_to_tensor(index))
    return None if value is None else int(value)


class TableRow(StagedIterable, Formed):
    """One of several lists, which a tensor selects.

    Reads see what the lists hold now, and an assignment to an item changes the selected list. No
    variable of a staged statement, other object or caller gets it: they would need a list.

    Args:
      lists: the lists.
      position: the index of the selected one, an integer scalar.
    """

    is_live = True

    def __init__(self, lists: Sequence[list[Any]], position: Tensor) -> None:
        """Store each list once, however often the table holds it."""
        known = {id(each): each for each in lists}
        if len(known) < len(lists):
            numbers = {key: number for number, key in enumerate(known)}
            order = np.array([numbers[id(each)] for each in lists], np.int32)
            position = row(constant_of(order), position)
        self._lists = tuple(known.values())
        self._position = position

    def __autograph_type__(self) -> type:
        """Return the class for `type`."""
        return list

    def __autograph_refers__(self) -> tuple[Any, ...]:
        """Return the lists that an assignment may change."""
        return self._lists

    @property
    def owners(self) -> tuple[object, ...]:
        """The lists."""
        return self._lists

    def form(self, form_of: FormOf) -> NoReturn:
        """Raise: it is no value of a graph."""
        self._refuse("is returned, or held by another object or a variable of a staged statement")

    def _refuse(self, what: str) -> NoReturn:
        called = user_name(self)
        raise StagingError(
            f"{f'`{called}`' if called else 'a list'} is selected by a tensor and {what}, which a "
            "graph cannot do.",
            remedy="Read and assign single items, or make a copy, for instance list(row).",
            public=VariantError,
        )

    def _rows(self) -> list[list[Any]]:
        """Return the items of each list, padded to one length; the padding is never selected."""
        if any(resolve(each) is not each for each in self._lists):
            self._refuse("grows in a staged statement, or one of the others does")
        longest = max(map(len, self._lists))
        filler = next((each[0] for each in self._lists if each), None)
        return [[*each, *[filler] * (longest - len(each))] for each in self._lists]

    def length(self) -> Any:
        """Return the number of items: an int if it is equal for all lists, else an int32 scalar."""
        lengths = list(map(len, self._lists))
        if len(set(lengths)) == 1:
            return lengths[0]
        return row(constant_of(np.array(lengths, np.int32)), self._position)

    def item(self, index: Any) -> Any:
        """Return item number `index`, which is in range."""
        rows = self._rows()
        if isinstance(index, int):
            return select([each[index] for each in rows], self._position, self)
        tables = [table_of(each) for each in rows]
        whole = None if any(each is None for each in tables) else table_of(tables)
        if whole is not None:
            return row(row(whole, self._position), index)
        return select(*_flat(rows, self._position, index), self)

    def _place(self, index: object, message: str) -> Any:
        """Return the number of an item from the start. Raises IndexError, also at run time."""
        if isinstance(index, slice):
            self._refuse("is sliced")
        length = self.length()
        if isinstance(index, int) and isinstance(length, int):
            if not -length <= index < length:
                raise IndexError(message)
            return index % length
        if not any(self._lists):
            raise IndexError(message)
        return item_position(as_index(convert_to_tensor(index)), length, message)

    def __getitem__(self, index: object) -> Any:
        return self.item(self._place(index, "list index out of range"))

    def __setitem__(self, index: object, value: object) -> None:
        place = self._place(index, "list assignment index out of range")
        for own, items in zip(self._lists, self._with(place, value), strict=True):
            own[:] = items[: len(own)]

    def _with(self, place: Any, value: object) -> list[list[Any]]:
        """Return the items of each list, of one length, after the assignment of an item."""
        rows = self._rows()
        leaf = joins.common_leaf_of([*(item for each in rows for item in each), value])
        if leaf is None:
            flat, number = _flat(rows, self._position, place)
            changed, width = replace(flat, number, value, self), len(rows[0])
            return [changed[at : at + width] for at in range(0, len(changed), width)]
        whole = table_of([table_of(each, leaf) for each in rows])
        assert whole is not None
        places = tuple(map(convert_to_tensor, (self._position, place)))
        changed_rows = with_row(whole, places, layouts.element_tensor(leaf, value))
        return [unstacked(each, len(rows[0])) for each in unstacked(changed_rows, len(rows))]

    def __len__(self) -> int:
        """Return the number of items. Raises StagingError if it is known only at run time."""
        length = self.length()
        if not isinstance(length, int):
            self._refuse("is asked for its length by Python")
        return length

    def __iter__(self) -> Iterator[Any]:
        return (self.item(place) for place in range(len(self)))

    def __getattr__(self, name: str) -> Any:
        """Raise for the methods of a list."""
        if not hasattr(list, name):
            raise AttributeError(f"'list' object has no attribute {name!r}")
        self._refuse(f"is asked for `{name}`")

    def _refuse_operator(self, *_: object) -> NoReturn:
        self._refuse("is compared, joined or repeated")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse_operator
    __add__ = __radd__ = __mul__ = __rmul__ = __contains__ = __delitem__ = _refuse_operator
    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<one of {len(self._lists)} lists>"


def _flat(rows: Sequence[list[Any]], position: Tensor, place: Any) -> tuple[list[Any], Any]:
    """Return the items of rows of one length, and the index of one among them."""
    return [item for each in rows for item in each], position * len(rows[0]) + place


def growing_list(table: Tensor, key: slice) -> GrowingList:
    """Return a slice of the rows of a tensor, as a growing list."""
    taken = getitem(strengthened(table), key)
    return GrowingList([Column.from_rows(weakened(taken, weakness(table)))])
