"""The stand-in for a list whose length is known only at run time, or that is long."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from autograph.operators.aliases import before_change
from autograph.operators.moved import move, resolve
from autograph.operators.stand_ins import Ref
from autograph.staging import library_of, optional
from runtime.control_flow.values.carried import Carried
from runtime.control_flow.values.columns import Column, Rows
from runtime.control_flow.values.forms import Form, Formed, FormOf, Growing, Leaf, Nest, Stack
from runtime.control_flow.values.stacks import stack_of, unstacked
from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.errors import IncompatibleShapesError, OperatorNotAllowedInGraphError
from runtime.core.handlers import refuse_handled_by_name
from runtime.core.places import is_in_place, user_name
from runtime.core.spec import joined_weakness
from runtime.core.structure import Node, children, flatten, rebuild, unflatten
from runtime.core.tensor import EagerTensor, Tensor, TensorLike, is_operand
from runtime.ops.array.joining import concat
from runtime.ops.array.lists import (
    list_insert,
    list_length,
    list_push,
    list_remove,
    list_reserve,
    list_resize,
)
from runtime.ops.array.ranges import range as counted
from runtime.ops.base.convert import (
    cast_to,
    constant_of,
    convert_to_tensor,
    is_weak,
    one_dtype,
    strong,
    weakened,
    weakness,
)
from runtime.ops.base.exact_comparison import comparable
from runtime.ops.base.values import adapts
from runtime.ops.effects.output import raise_when
from runtime.ops.items.gathering import gather
from runtime.ops.items.item_positions import as_index, item_position
from runtime.ops.items.selecting import where
from runtime.ops.math.arithmetic import floormod, maximum, minimum
from runtime.ops.math.elementwise import logical_not
from runtime.ops.math.logic import equal, greater_equal, less, logical_and, logical_or
from runtime.ops.reduce.ordering import argmax, argsort
from runtime.ops.reduce.reduction import reduce_all, reduce_any, reduce_sum


def rows_of(values: Any) -> GrowingList | None:
    """Return a growing list of the rows of a tensor, or of the items of another vector.

    A growing list is returned as it is; for other values, None.
    """
    if isinstance(values, GrowingList):
        return values
    if not is_operand(values):
        return None
    rows = convert_to_tensor(values)
    if not isinstance(values, Tensor) and rows.shape.rank != 1:
        return None
    return GrowingList([Column.from_rows(rows)])


class GrowingList(Carried, Formed):
    """A list of tensors, or of tuples of tensors, whose length is known only at run time; or a long
    list in a loop, which has one column, `Rows`, and a known length.

    It has the methods and operators of a Python list; unsupported ones raise. `runtime.stack(x)`
    and `x.stack()` return all elements as one tensor. A function returns it as a Python list.

    It has one column for each tensor of an element; `node` is the structure of an element, None for
    a tensor.
    """

    represents: type = list
    held_in = "columns"
    is_live = True
    """A loop over it reads each element at the time of its iteration."""

    def __init__(self, columns: Sequence[Column], node: Node | None = None) -> None:
        self.columns = tuple(columns)
        self.node = node
        super().__init__()

    @classmethod
    def of(
        cls, values: Iterable[Any], columns: Sequence[Column], node: Node | None = None
    ) -> GrowingList:
        """Return a list of these values, whose tensors fit `columns`."""
        growing = cls([column.of(list_reserve(0)) for column in columns], node)
        if rows_of(values) is not None:
            growing.extend(values)
            return growing
        held = list(values)
        _refuse_repeated(held)
        for value in held:
            growing._push(_as_item(value, has_moved=True))
        return growing

    # ---- reading ----

    def stand_in(self, owner: object) -> GrowingList | None:
        """Return the stand-in for an object of the class of `owner`; None for a class of the
        program.
        """
        stand_in: GrowingList | None = optional(library_of(self), "stand_in")(self, owner)
        return stand_in

    def check_is_part(self) -> None:
        """Raise StagingError if it cannot be returned or stored in another object."""

    def form(self, form_of: FormOf) -> Form:
        """Return the form: that of its elements."""
        self.check_is_part()
        first = self.columns[0]
        if self.node is None and first.count is not None and first.spec.shape.is_fully_defined():
            return Stack(Leaf(first.spec, first.weak), first.count)
        leaves = iter([Leaf(column.spec, column.weak) for column in self.columns])
        return Growing(_element_form(self.node, leaves))

    @property
    def owners(self) -> tuple[object, ...]:
        """What a loop over the list reads its elements from: the list."""
        return (self,)

    def begin(self) -> Any:
        """Return the iterable for a loop."""
        return self

    def size(self) -> Tensor:
        """Return the number of elements, an int32 scalar."""
        count = self.known_length
        if count is not None:
            return constant_of(np.array(count, np.int32))
        return list_length(self.columns[0].flow)

    @property
    def known_length(self) -> int | None:
        """The number of elements; None if it is known only at run time."""
        return self.columns[0].count

    def item(self, index: TensorLike) -> Any:
        """Return one element. Raises InvalidArgumentError if the index is out of range."""
        if self.known_length is None:
            refuse_handled_by_name(
                IndexError(), "Ask for the length of the list in place of the handler."
            )
        return unflatten(self.node, [column.item(index) for column in self.columns])

    def more(self, index: TensorLike) -> Tensor:
        """Return whether element number `index` exists."""
        number = convert_to_tensor(index)
        return number < cast_to(self.size(), number.dtype)  # type: ignore[no-any-return]

    def stack(self, name: str | None = None) -> Tensor:
        """Stack all elements along a new first axis. Raises StagingError for tuples."""
        if self.node is not None:
            self.refuse("has tuples as elements, of which one tensor is made")
        return self.columns[0].rows()

    def __getitem__(self, index: object) -> Any:
        if isinstance(index, slice):
            return self._changed(lambda rows: strong(rows)[index])
        return self.item(self._position(index, f"{self.kind} index out of range"))

    def matches(self, value: object) -> Tensor:
        """Return whether each element equals `value`: bool of shape [n].

        Raises: StagingError for elements that are not scalars.
        """
        if isinstance(value, Carried):
            self.refuse("is searched for a list or dict whose length only the graph knows")
        leaves, node = _leaves(value)
        if node != self.node:
            return logical_and(False, equal(counted(self.size()), 0))
        result = convert_to_tensor(True)
        for column, leaf in zip(self.columns, leaves, strict=True):
            self._check_scalars(column, "compares elements that are arrays")
            result = logical_and(result, equal(*comparable(column.rows(), leaf)))
        return result

    def count(self, value: object) -> Tensor:
        """Return the number of elements that equal `value`."""
        return weakened(reduce_sum(cast_to(self.matches(value), dtypes.int32)))

    def index(
        self, value: object, start: TensorLike = 0, stop: TensorLike | None = None, /
    ) -> Tensor:
        """Return the index of the first element from `start` to `stop` that equals `value`.

        Raises: ValueError at run time, if there is none.
        """
        from_first = isinstance(start, int) and start == 0
        bounds = [] if from_first else [(greater_equal, start)]
        if stop is not None:
            bounds.append((less, stop))
        return weakened(self._found(value, "index", bounds))

    def _found(
        self, value: object, method: str, bounds: Sequence[tuple[Any, TensorLike]] = ()
    ) -> Tensor:
        matches = self.matches(value)
        for is_within, bound in bounds:
            at = cast_to(convert_to_tensor(bound, dtype_hint=dtypes.int32), dtypes.int32)
            at = where(at < 0, maximum(at + self.size(), 0), at)
            matches = logical_and(matches, is_within(counted(self.size()), at))
        message = f"list.{method}(x): x not in list"
        raise_when(logical_not(reduce_any(matches)), ValueError(message))
        # The padding avoids the error of argmax for an empty list.
        padded = concat([cast_to(matches, dtypes.int32), constant_of(_ONE)], 0)
        return argmax(padded, output_type=dtypes.int32)

    # ---- changing ----

    def append(self, value: object) -> None:
        """Append an element. Raises StagingError if it does not fit the others."""
        self._push(_as_item(value))

    def _push(self, item: object) -> None:
        tensors = self._fitting(item)
        self.columns = tuple(
            column.of(list_push(column.flow, tensor))
            for column, tensor in zip(self.columns, tensors, strict=True)
        )

    def extend(self, values: Any) -> None:
        """Append the elements of a list, or the rows of a tensor."""
        rows = rows_of(values)
        if rows is None:
            for value in values:
                self.append(value)
            return
        values = rows
        if values.node != self.node:
            self.refuse(f"gets elements of another structure than {self._element()}")
        columns = []
        for own, other in zip(self.columns, values.columns, strict=True):
            if not own.spec.is_compatible_with(other.spec):
                self.refuse(f"gets elements {other.spec}, but its elements are {own.spec}")
            columns.append(own.of_rows(concat([own.rows(), other.rows()], 0)))
        self.columns = tuple(columns)

    def insert(self, index: TensorLike, value: object) -> None:
        """Insert an element before a position; out-of-range positions are clamped."""
        at = convert_to_tensor(index, dtype_hint=dtypes.int32)
        if not (isinstance(index, int) and index == 0):
            size, at = self.size(), cast_to(at, dtypes.int32)
            at = minimum(maximum(where(at < 0, at + size, at), 0), size)
        self.columns = tuple(
            column.of(list_insert(column.flow, at, tensor))
            for column, tensor in zip(self.columns, self._fitting(_as_item(value)), strict=True)
        )

    def pop(self, index: TensorLike = -1) -> Any:
        """Remove and return an element. Raises IndexError at run time if there is none."""
        size = self.size()
        if isinstance(index, int) and index == -1:
            raise_when(equal(size, 0), IndexError("pop from empty list"))
            value = self.item(size - 1)
            self.columns = tuple(c.of(list_resize(c.flow, size - 1)) for c in self.columns)
            return value
        raise_when(equal(size, 0), IndexError("pop from empty list"))
        at = self._checked_position(index, "pop index out of range")
        value = self.item(at)
        self._leave_out(at)
        return value

    def _leave_out(self, at: TensorLike) -> None:
        self.columns = tuple(c.of(list_remove(c.flow, at, c.spec)) for c in self.columns)

    def remove(self, value: object) -> None:
        """Remove the first element equal to `value`. Raises ValueError at run time if there is
        none.
        """
        self._leave_out(self._found(value, "remove"))

    def reverse(self) -> None:
        """Reverse the elements in place."""
        last = self.size() - 1
        self._take(last - counted(last + 1))

    def clear(self) -> None:
        """Remove all elements."""
        self.columns = tuple(column.of(list_reserve(0)) for column in self.columns)

    def sort(self, *, key: Callable[[Any], Any] | None = None, reverse: bool = False) -> None:
        """Sort the elements in place, stably.

        Raises: StagingError for a key, and as in `order`.
        """
        if key is not None:
            self.refuse("is sorted by a key that is not converted")
        self._take(self.order(reverse))

    def order(self, reverse: bool = False) -> Tensor:
        """Return the permutation that sorts the elements, stably.

        Raises:
          StagingError: for elements that are not real numbers or tuples of them.
          ValueError: at run time, if there is a NaN.
        """
        order = counted(self.size())
        if reverse:
            # Reversed twice, equal elements keep their order.
            order = self.size() - 1 - order
        for column in reversed(self.columns):
            self._check_order(column)
            rows = column.rows()
            raise_when(reduce_any(rows != rows), ValueError("NaN has no place in a sorted list"))
            order = gather(order, argsort(gather(rows, order), stable=True))
        return order[::-1] if reverse else order

    def taken(self, positions: Tensor) -> GrowingList:
        """Return a list of the elements at these positions."""
        return self._changed(lambda rows: gather(rows, positions))

    def _check_order(self, column: Column) -> None:
        self._check_scalars(column, "puts elements in order that are arrays")
        if column.spec.dtype.kind not in "iufb":
            self.refuse(f"puts elements in order that are {column.spec.dtype.name}")

    def _check_scalars(self, column: Column, what: str) -> None:
        if column.spec.dims != ():
            self.refuse(what)

    def __setitem__(self, index: object, value: object) -> None:
        if isinstance(index, slice):
            self._set_slice(index, value)
            return
        at = self._position(index, f"{self.kind} assignment index out of range")
        tensors = self._fitting(_as_item(value))
        self.columns = tuple(
            column.with_entry(at, tensor)
            for column, tensor in zip(self.columns, tensors, strict=True)
        )

    def _set_slice(self, index: slice, value: Any) -> None:
        bounds = (index.start, index.stop, index.step)
        if self.known_length is None or any(isinstance(each, Tensor) for each in bounds):
            self.refuse("gets other elements in place of a slice")
        pairs = assigned_by_slice(index, self.known_length, list(value))
        if pairs is None:
            self.refuse("gets a slice of another length")
        for place, item in pairs:
            self[place] = item

    def __delitem__(self, index: object) -> None:
        if isinstance(index, slice):
            self.refuse("loses the elements of a slice")
        self._leave_out(self._checked_position(index, "list assignment index out of range"))

    def _take(self, positions: Tensor) -> None:
        self.columns = self.taken(positions).columns

    def _changed(self, change: Callable[[Tensor], Tensor]) -> GrowingList:
        """Return the list after a transformation of all rows."""
        return GrowingList([c.of_rows(change(c.rows())) for c in self.columns], self.node)

    # ---- elements that fit ----

    def _position(self, index: object, message: str) -> Any:
        """Return the position of an item; `message` is that of Python's error for a tensor."""
        count = self.known_length
        if isinstance(index, int):
            if count is not None and not -count <= index < count:
                raise IndexError(message)
            return (self.size() if count is None else count) + index if index < 0 else index
        length = self.size() if count is None else count
        return item_position(as_index(convert_to_tensor(index)), length, message)

    def _checked_position(self, index: object, message: str) -> Tensor:
        """Return the position of an item, which exists."""
        at = cast_to(convert_to_tensor(self._position(index, message)), dtypes.int32)
        if isinstance(index, int):
            outside = logical_or(at < 0, at >= self.size())
            raise_when(outside, IndexError(message))
        return at

    def _fitting(self, value: object) -> list[Tensor]:
        leaves, node = _leaves(value)
        if node != self.node or any(isinstance(leaf, (list, dict)) for leaf in leaves):
            kind = type(value).__name__
            self.refuse(f"gets a {kind} as an element, but its elements are {self._element()}")
        return [self._fitting_leaf(place, leaf) for place, leaf in enumerate(leaves)]

    def _fitting_leaf(self, place: int, value: TensorLike) -> Tensor:
        column = self.columns[place]
        if isinstance(value, bool) and column.spec.dtype is not dtypes.bool:
            self.refuse(
                f"gets the element {value}, but its elements are {column.spec}",
                remedy=f"Write `int({value})`.",
            )
        tensor = convert_to_tensor(value, dtype_hint=column.spec.dtype)
        if type(value) is int and column.spec.dtype.is_floating:
            column = column.with_weakness(joined_weakness(column.weak, True, mixed=True))
            self.columns = (*self.columns[:place], column, *self.columns[place + 1 :])
        if is_weak(tensor) or is_weak(value):
            tensor = one_dtype("append", [("value", tensor)], column.spec.dtype)[0][0]
        elif column.weak and adapts(column.spec.dtype.kind, tensor.dtype.kind):
            # Numbers in the list adopt the dtype of the first tensor.
            column = column.with_dtype(tensor.dtype).with_weakness(False)
            self.columns = (*self.columns[:place], column, *self.columns[place + 1 :])
        if column.spec.is_compatible_with(tensor.spec):
            return tensor
        self.refuse(f"gets an element {tensor.spec}, but its elements are {column.spec}")

    def _element(self) -> str:
        if self.node is None:
            return f"{self.columns[0].spec}"
        return f"a {self.node.kind.__name__} of {', '.join(f'{c.spec}' for c in self.columns)}"

    # ---- what Python asks ----

    def __iter__(self) -> Iterator[Any]:
        """Return an iterator over the elements. Raises StagingError if only the graph knows how
        many there are.
        """
        items = self.known_items()
        if items is None:
            self.refuse(
                "is iterated over by Python",
                OperatorNotAllowedInGraphError,
                "Iterate in converted code, write `a + [b]` in place of `[*a, b]`, and pass "
                "`runtime.stack(a)`, one tensor, to functions that are not converted.",
            )
        return iter(items)

    def __len__(self) -> int:
        """Return the number of elements. Raises StagingError if only the graph knows it."""
        return super().__len__() if self.known_length is None else self.known_length

    def __bool__(self) -> bool:
        """Return whether there are elements. Raises StagingError if only the graph knows it."""
        return super().__bool__() if self.known_length is None else self.known_length > 0

    __hash__ = Carried.__hash__

    def __eq__(self, other: object) -> Any:
        """Return whether another list has equal elements, as a tensor."""
        other = resolve(other)  # another name for a list that grew
        if isinstance(other, list):
            other = GrowingList.of(other, self.columns, self.node)
        if not isinstance(other, GrowingList):
            return False
        if self.node != other.node:
            return logical_and(equal(self.size(), 0), equal(other.size(), 0))
        common = minimum(self.size(), other.size())
        result = equal(self.size(), other.size())
        for own, their in zip(self.columns, other.columns, strict=True):
            self._check_scalars(own, "compares elements that are arrays")
            ones, others = (strong(column.rows())[:common] for column in (own, their))
            same = equal(ones, others)
            result = logical_and(result, reduce_all(same))
        return result

    def __ne__(self, other: object) -> Any:
        """Return whether another list differs, as a tensor."""
        same = self == other
        return not same if same is False else logical_not(same)

    def __lt__(self, other: object) -> Any:
        """Raise: lists cannot be ordered."""
        self.refuse("is compared by `<` or `>`")

    def __le__(self, other: object) -> Any:
        """Raise: lists cannot be ordered."""
        self.refuse("is compared by `<=` or `>=`")

    __gt__ = __lt__
    __ge__ = __le__

    def __add__(self, other: object) -> GrowingList:
        self._check_is_list(other)
        joined = self.copy()
        joined.extend(other)
        return joined

    def __radd__(self, other: Any) -> Any:
        """Return the concatenation of a Python list and this list; Python asks it for `+=`, too."""
        self._check_is_list(other)
        in_place = is_in_place("+")
        if in_place is None:
            self.refuse(
                "is added by `+` or `+=`",
                remedy="Write `v.extend(w)`, or `+` in a line of its own.",
            )
        if in_place:
            self.extend_python(other)
        return other if in_place else self._appended_to(other)

    def _appended_to(self, other: Any) -> Any:
        other = resolve(other)
        if isinstance(other, GrowingList):
            return other + self
        joined = GrowingList.of(other, self.columns, self.node)
        joined.extend(self)
        return joined

    def extend_python(self, target: list[Any]) -> None:
        """Append the elements to a list of Python, whose items move."""
        before_change(target)
        items = resolve(target)
        if items is target:
            move(target, self._appended_to(target), user_name(target) or "the list")
        else:
            items.extend(self)

    def __iadd__(self, other: object) -> GrowingList:
        """Append the elements of another list, or the rows of a tensor."""
        self.extend(other)
        return self

    def _check_is_list(self, other: object) -> None:
        if not isinstance(other, (list, GrowingList)):
            kind = type(other).__name__
            raise TypeError(f'can only concatenate list (not "{kind}") to list')

    def __mul__(self, times: TensorLike) -> GrowingList:
        result = self.copy()
        result *= times
        return result

    __rmul__ = __mul__

    def __imul__(self, times: TensorLike) -> GrowingList:
        number = cast_to(convert_to_tensor(times, dtype_hint=dtypes.int32), dtypes.int32)
        size = self.size()
        self._take(floormod(counted(size * maximum(number, 0)), maximum(size, 1)))
        return self

    def reason(self) -> str:
        """Return why its contents are known only at run time, for messages."""
        is_known = self.known_length is not None
        return "changes at a place that the graph computes" if is_known else super().reason()

    def with_dtypes(self, wanted: Sequence[DType]) -> GrowingList:
        """Return the list with its columns in these dtypes; itself if they are equal."""
        columns = [c.with_dtype(dtype) for c, dtype in zip(self.columns, wanted, strict=True)]
        same = all(new is old for new, old in zip(columns, self.columns, strict=True))
        return self if same else GrowingList(columns, self.node)

    def __tf_tensor__(self, dtype: object, name: str | None) -> Tensor:
        """Return all elements, stacked along a new first axis."""
        return convert_to_tensor(self.stack(), dtype)

    def __tensor_rows__(self) -> Tensor | None:
        """Return all elements, of which there is one at least; None where Python knows how many."""
        if self.known_length is not None:
            return None
        rows = self.stack()
        error = IncompatibleShapesError.of(f"the {self.kind} is empty: there is nothing to join.")
        raise_when(equal(self.size(), 0), error)
        return rows

    def __repr__(self) -> str:
        if self.known_length is not None:
            return f"<list of {self.known_length} elements {self._element()} in a graph>"
        return f"<list of {self._element()} that grows in a graph>"

    def of_items(self, items: list[Any]) -> GrowingList:
        """Return a list of these items, of one dtype, in place of those of this one."""
        (own,) = self.columns
        first = next((each for each in items if isinstance(each, Tensor)), None)
        dtype, weak = (
            (own.spec.dtype, own.weak) if first is None else (first.dtype, weakness(first))
        )
        convert = partial(convert_to_tensor, dtype_hint=dtype)
        return GrowingList([Rows(stack_of(items, dtype, weak, convert))])

    def known_items(self) -> list[Any] | None:
        """Return the elements in a list of Python if their number is known, else None."""
        count = self.known_length
        return None if count is None else unstacked(self.columns[0].rows(), count)

    def to_list(self) -> Any:
        """Return a Python list if the elements have values, else this list."""
        entries = []
        for column in self.columns:
            if not isinstance(column.flow, EagerTensor):
                return self
            entries.append(column.flow.array.entries())
        return [
            unflatten(self.node, map(EagerTensor, element))
            for element in zip(*entries, strict=True)
        ]


def assigned_by_slice(
    key: slice, length: int, values: Sequence[Any]
) -> list[tuple[int, Any]] | None:
    """Return the places of a slice with their new items; None if there are more or fewer items.

    >>> assigned_by_slice(slice(1, 3), 5, "ab"), assigned_by_slice(slice(1, 3), 5, "abc")
    ([(1, 'a'), (2, 'b')], None)
    """
    places = range(*key.indices(length))
    return list(zip(places, values, strict=True)) if len(places) == len(values) else None


_ONE = np.ones(1, np.int32)


def _element_form(node: Node | None, leaves: Iterator[Leaf]) -> Form:
    if node is None:
        return next(leaves)
    parts = tuple(_element_form(part, leaves) for part in node.parts)
    return Nest(node.kind, node.keys, parts)


def _as_item(value: Any, has_moved: bool = False) -> Any:
    value = value.value if type(value) is Ref else value
    if isinstance(value, Carried):
        return value.as_item(has_moved)
    level = children(value) if isinstance(value, tuple) else None
    if level is None:
        return value
    parts = [_as_item(part, has_moved) for part in level[1]]
    return rebuild(type(value), level[0], parts, value)


def _refuse_repeated(values: list[Any]) -> None:
    """Refuse a value that is two items and could be told from a copy."""
    seen: set[int] = set()
    for value in values:
        for each in _carried_in(value):
            if id(each) in seen:
                each.refuse_twice()
            seen.add(id(each))


def _carried_in(value: object) -> Iterator[Carried]:
    value = value.value if type(value) is Ref else value
    if isinstance(value, Carried):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _carried_in(part)


def _leaves(value: object) -> tuple[list[Any], Node | None]:
    """Return the tensors of an element and its structure; a list or dict is a leaf here."""
    if isinstance(value, (list, dict)):
        return [value], None
    return flatten(value)
