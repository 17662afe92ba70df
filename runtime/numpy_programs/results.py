"""Results of NumPy programs: arrays for the caller, and the arguments that a program changed."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple, cast

import numpy as np

from autograph.operators.aliases import may_be, may_hold_items_of
from autograph.operators.moved import Moved, resolve
from autograph.operators.stand_ins import has_identity
from autograph.operators.variables import ld
from autograph.reach.places import Place
from autograph.staging import is_one_of, trace
from runtime.control_flow.selection import ContainerReference
from runtime.control_flow.truth import TruthOnly
from runtime.control_flow.values.carried import Carried
from runtime.control_flow.values.forms import Form, Leaf, Nest
from runtime.control_flow.values.growing import GrowingList
from runtime.core.dtypes import DType
from runtime.core.places import after_return
from runtime.core.shapes import TensorShape
from runtime.core.structure import Node, children, flatten, rebuild
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import EagerTensor, TensorLike
from runtime.functions.printed_entries import Printer
from runtime.functions.sharing import Path, parts_with_identity, shared_parts, with_shared_parts
from runtime.numpy_programs.attempts import may_have_views, note_changed
from runtime.numpy_programs.dispatch import refuse
from runtime.numpy_programs.outside_state import OutsideArrays
from runtime.numpy_programs.promotion import constant
from runtime.numpy_programs.values import KEPT, VIEW, Array
from runtime.numpy_programs.views import Step, View
from runtime.ops.base.convert import strong
from runtime.ops.effects.output import raise_when
from runtime.ops.math.logic import equal
from runtime.ops.reduce.reduction import reduce_any


def outcome(
    value: TensorLike,
    function: Callable[..., Any],
    arguments: Sequence[Array | None],
    before: Sequence[Any],
    outside: OutsideArrays,
) -> Outcome:
    """Return what a call leaves.

    Args:
      value: the result of the program.
      function: the program.
      arguments: its array arguments; None for each scalar.
      before: what they held before the call.
      outside: the last of the arguments, which the caller does not give.
    """
    left = outside.taken()
    value = (value, *(each for _, each in left)) if left else value
    own = {id(each): place for place, each in enumerate(arguments) if each is not None}
    outlives = trace.callers.outliving()
    result = _results(value, _Call(function, own, {}, outlives, outside.existed))
    shared = []
    if not _is_numbered(value):
        _refuse_possible_aliases(value, own, outlives)
        shared = shared_parts(value, _is_numbered)
    changed = [
        place
        for place, (each, tensor) in enumerate(zip(arguments, before, strict=True))
        if each is not None and each.tensor is not tensor
    ]
    tensors = [cast(Array, arguments[place]).tensor for place in changed]
    read = outside.read() if changed else []
    places = Places(tuple(outside.places), tuple(place for place, _ in left), tuple(read))
    return Outcome(result, changed, tensors, shared, places)


def _refuse_possible_aliases(
    value: object, own: Container[int], outlives: Callable[[Any], bool]
) -> None:
    """Refuse objects of a result that may be one, as only the running graph knows.

    They may also be one with an object that the caller reaches otherwise.
    """
    parts = {id(part): part for _, part in parts_with_identity(value, _is_numbered)}
    lists = [part for part in parts.values() if _grows_by_arrays(part)]
    arrays = [part for part in parts.values() if isinstance(part, Array)]
    decided = [part for part in arrays if part.is_decided or (part.is_kept and id(part) not in own)]
    if lists and len(lists) + len(decided) > 1:
        raise refuse(
            "an array of the result may be an item of a list of it, which grows in a staged "
            "statement.",
            "Return or append a copy, for instance x.copy().",
        )
    for part in parts.values():
        if id(part) in own:
            continue  # the number of another array tells whether it is this one
        others = [each for each in (*may_be(part), *may_hold_items_of(part)) if id(each) not in own]
        if any(map(outlives, others)):
            raise refuse(
                f"a {_kind(part)} of the result may be one that outlives the call, as a staged "
                "statement decides.",
                "Return a copy, for instance copy.copy(x).",
            )
        if any(id(each) in parts or id(resolve(each)) in parts for each in others):
            raise refuse(
                f"a {_kind(part)} of the result may be another one of it, as a staged statement "
                "decides.",
                "Return a copy of one of them.",
            )


def _grows_by_arrays(value: object) -> bool:
    return isinstance(value, GrowingList) and _holds_arrays(value.node)


def _holds_arrays(node: Node | None) -> bool:
    return node is not None and (node.kind is Array or any(map(_holds_arrays, node.parts)))


def _holds_list(value: object) -> bool:
    """Return whether a value is, or a tuple holds, a list or dict of the program."""
    parts = parts_with_identity(value, _is_numbered)
    return any(isinstance(part, (list, dict)) for _, part in parts)


def _is_numbered(value: object) -> bool:
    return isinstance(value, (Array, GrowingList))


class _Call(NamedTuple):
    """What is known of a call.

    Attributes:
      function: the program.
      own: from the id of an array argument to its position.
      seen: from the id of a new array or list to its number.
      outlives: returns whether a list, dict or object is reached after the call.
      existed: returns whether an array, or the one that it is a view of, was there before the call.
    """

    function: Callable[..., Any]
    own: dict[int, int]
    seen: dict[int, int]
    outlives: Callable[[Any], bool]
    existed: Callable[[Any], bool]


def _results(value: TensorLike, call: _Call) -> Any:
    """Return a result with a `Result` for each leaf."""
    value = ld(resolve(value))
    if issubclass(type(value), TruthOnly):
        raise value.refusal
    if isinstance(value, Array):
        return _array_result(value, call)
    if isinstance(value, SymbolicTensor):
        tensor = cast(SymbolicTensor, strong(value))
        return Result("number" if value.weak else "scalar", [tensor], tensor.dtype)
    if isinstance(value, GrowingList):
        _require_returnable(value, False, call)
        for position in _number_columns(value.node):
            _refuse_views(value.columns[position].rows(), call.function)
        number = call.seen.setdefault(id(value), len(call.seen))
        return ListResult(value, [column.weak is True for column in value.columns], number)
    if is_one_of(value):
        if any(map(_holds_list, value.__autograph_values__)):
            raise refuse(
                "one of several lists or dicts is returned, as a staged statement decides.",
                "Return a copy, for instance copy.copy(x).",
            )
        return value.__autograph_with__(_results(e, call) for e in value.__autograph_values__)
    if isinstance(value, ContainerReference):
        raise refuse(
            "a list or dict that a staged statement chose is returned: the caller could not tell "
            "which one it is.",
            "Return a copy, for instance copy.copy(x).",
        )
    level = children(value)
    if level is None and hasattr(type(value), "__autograph_staging__"):
        raise refuse(
            f"a {type(value).__name__} that only the running graph knows is returned.",
            "Return arrays, numbers, lists or tuples.",
        )
    _require_returnable(value, level is None, call)
    if isinstance(value, TensorShape):
        return Result("constant", [], tuple(value.as_list()))
    if isinstance(value, DType):
        return Result("constant", [], value.numpy_dtype)
    if level is None:
        if isinstance(value, np.ndarray):
            if value.dtype.kind in "biufc" and not call.existed(value):  # each call makes one
                number = call.seen.setdefault(id(value), len(call.seen))
                return Result("array", [constant(value)], (number, ()))
            note_changed(value)  # by the caller, who gets it: another one may be there by then
        return Result("constant", [], value)
    keys, parts = level
    return rebuild(type(value), keys, [_results(part, call) for part in parts], value)


def _require_returnable(value: object, is_leaf: bool, call: _Call) -> None:
    """Raise StagingError for an object that each call would have to make, or to look up."""
    if isinstance(value, Moved):
        value.refuse()
    if not (has_identity(value) or isinstance(value, Iterator)) or trace.callers.pass_anew(value):
        return
    outlives = call.outlives(value)
    if is_leaf and not outlives and type(value) is not set:
        raise refuse(
            f"a {type(value).__name__} that the program makes is returned: each call would give "
            "the one of the trace.",
            "Return its arrays and numbers, or make it before the call.",
        )
    if outlives and not is_leaf:
        raise refuse(
            f"a {_kind(value)} that outlives the call is returned: the caller would get a copy.",
            "Return a copy of it.",
        )


def _kind(value: object) -> str:
    return value.kind if isinstance(value, Carried) else type(value).__name__


def _array_result(value: Array, call: _Call) -> Any:
    steps: list[Step] = []
    base = value
    while isinstance(base, View):
        steps.insert(0, base.step)
        base = base.viewed
    if isinstance(base.number, int) and base.number == VIEW:
        raise value.refusal(
            "is returned, and is one of several views, as a staged statement decides",
            "Return a copy of it.",
        )
    may_be_argument = base.is_decided or base.number
    if steps and may_be_argument:
        example = np.empty([1 if dim is None else dim for dim in base.dims])
        if value.tensor is None or _view_of(example, steps) is None:
            raise value.refusal("is returned, and is a view of an argument", "Return a copy of it.")
    if isinstance(base.number, int) and base.number:
        return Result("argument", [], (base.number - 1, tuple(steps)))
    number = call.seen.setdefault(id(value), len(call.seen))
    if base.is_decided:
        _refuse_views(base.number, call.function)
        return Result("one of", [value.tensor, base.number], (number, tuple(steps)))
    return Result("array", [value.tensor], (number, ()))


def _refuse_views(numbers: TensorLike, function: Callable[..., Any]) -> None:
    """Raise when the graph runs if one of these numbers of arrays is that of a view."""
    if not may_have_views():
        return
    with after_return(function):
        raise_when(
            reduce_any(equal(numbers, VIEW)),
            TypeError(
                "an array of the result is a view of another array, as a staged statement decided, "
                "or as an item of a list that grew. Return or append a copy, for instance "
                "x[i].copy()."
            ),
        )


def _number_columns(node: Node | None, first: int = 0) -> list[int]:
    """Return the positions of the numbers of arrays among the parts of an element."""
    if node is None:
        return []
    if node.kind is Array:
        return [first + 1]
    starts = accumulate(map(_count_of_leaves, node.parts), initial=first)
    pairs = zip(node.parts, starts, strict=False)
    return [place for part, start in pairs for place in _number_columns(part, start)]


def _count_of_leaves(node: Node | None) -> int:
    return 1 if node is None else sum(map(_count_of_leaves, node.parts))


def _view_of(array: TensorLike, steps: Sequence[Step]) -> Any:
    """Return the view of an array; None if only the running graph knows which."""
    for step in steps:
        array = None if array is None else step.of_caller(array)
    return array


class Result:
    """A leaf of a result.

    Args:
      kind: "array", "scalar", "number", "constant", "argument", or "one of" the arguments or a new
        array.
      tensors: its value, if the graph computes it; and the number of the argument.
      detail: the constant; the dtype of a scalar or number; which argument and the steps to a view
        of it; or the number that equal arrays have in common, and the steps.
    """

    __slots__ = ("detail", "kind", "tensors")

    def __init__(self, kind: str, tensors: list[Any], detail: Any = None) -> None:
        """Store the fields."""
        self.kind = kind
        self.tensors = tensors
        self.detail = detail

    def __tensor_flatten__(self) -> tuple[list[Any], tuple[str, Any]]:
        """Return the tensors and what describes them."""
        return self.tensors, (self.kind, self.detail)

    @classmethod
    def __tensor_unflatten__(cls, description: tuple[str, Any], tensors: list[Any]) -> Any:
        """Return the value for the caller, or a `Result` where that depends on the call."""
        kind, detail = description
        value = tensors[0] if tensors else None
        if kind == "constant":
            return detail.copy() if type(detail) is set else detail
        if not isinstance(value, EagerTensor) or kind in ("array", "one of"):
            return cls(kind, tensors, detail)
        return number_of(value) if kind == "number" else np.asarray(value.array)[()]


class ListResult:
    """A result that is a list whose length only the running graph knows.

    Args:
      items: the list.
      numbers: for each tensor of an element whether it represents a Python number.
      number: what equal lists have in common.
    """

    __slots__ = ("items", "number", "numbers")

    def __init__(self, items: Any, numbers: Sequence[bool], number: int) -> None:
        """Store the fields."""
        self.items = items
        self.numbers = tuple(numbers)
        self.number = number

    def __tensor_flatten__(self) -> tuple[list[Any], tuple[tuple[bool, ...], int]]:
        """Return the list and the kinds of its numbers."""
        return [self.items], (self.numbers, self.number)

    @classmethod
    def __tensor_unflatten__(
        cls, description: tuple[tuple[bool, ...], int], parts: list[Any]
    ) -> ListResult:
        """Return the list with tensors."""
        return cls(parts[0], *description)

    def made(self, arrays: Sequence[Any]) -> list[Any]:
        """Return the list for the caller with these arrays."""
        return [_element(each, iter(self.numbers), arrays) for each in self.items]


def _element(value: TensorLike, numbers: Iterator[bool], arrays: Sequence[Any]) -> Any:
    if isinstance(value, EagerTensor):
        return number_of(value) if next(numbers) else np.asarray(value.array)[()]
    if isinstance(value, Array):
        held, number = (cast(EagerTensor, tensor).array for tensor in flatten(value)[0])
        next(numbers), next(numbers)
        return _one_of(arrays, int(number), held)
    level = children(value)
    assert level is not None
    parts = [_element(part, numbers, arrays) for part in level[1]]
    return rebuild(type(value), level[0], parts, value)


def number_of(tensor: EagerTensor) -> Any:
    """Return the Python number or string of a scalar."""
    value = np.asarray(tensor.array).item()
    return value.decode() if isinstance(value, bytes) else value


class Places(NamedTuple):
    """Places outside of a program.

    Attributes:
      arguments: where the last array arguments are, which the caller does not give.
      left: where the program leaves other arrays: what follows the result.
      read: where arrays are that the program may read, and that share no memory with those that it
        changes.
    """

    arguments: tuple[Place, ...] = ()
    left: tuple[Place, ...] = ()
    read: tuple[Place, ...] = ()

    def arrays(self) -> list[Any]:
        """Return the further arguments, and the arrays that the program may read."""
        return [place.read() for place in (*self.arguments, *self.read)]


Description = tuple[tuple[int, ...], tuple[tuple[Path, Path], ...], Places]


class Outcome:
    """What a call of a program leaves.

    Args:
      value: the result, and the arrays left in places.
      changed: the positions of the array arguments that the program changed.
      tensors: what they hold afterwards.
      shared: the places in the result that hold one list, dict or object.
      places: the places outside of the program.
    """

    __slots__ = ("changed", "places", "shared", "tensors", "value")

    def __init__(
        self,
        value: TensorLike,
        changed: Sequence[int],
        tensors: Sequence[Any],
        shared: Sequence[tuple[Path, Path]],
        places: Places,
    ) -> None:
        """Store the fields."""
        self.value = value
        self.places = places
        self.changed = tuple(changed)
        self.tensors = list(tensors)
        self.shared = tuple(shared)

    def __tensor_flatten__(self) -> tuple[list[Any], Description]:
        """Return result and changed arrays."""
        return [self.value, *self.tensors], (self.changed, self.shared, self.places)

    @classmethod
    def __tensor_unflatten__(cls, description: Description, parts: list[Any]) -> Outcome:
        """Return an outcome with values."""
        changed, shared, places = description
        return cls(parts[0], changed, parts[1:], shared, places)

    def for_caller(self, arrays: Sequence[Any], name: str) -> Any:
        """Change the arguments of the caller as the program did; return the result."""
        arrays = [*arrays, *self.places.arrays()]
        value = _finished(self.value, arrays, {})
        if self.shared:
            value = with_shared_parts(value, list(self.shared))
        _write(self.changed, [tensor.array for tensor in self.tensors], arrays, name, False)
        if not self.places.left:
            return value
        value, *left = value
        for place, each in zip(self.places.left, left, strict=True):
            place.write(each)
        return value


def _finished(value: TensorLike, arrays: Sequence[Any], made: dict[int, Any]) -> Any:
    if isinstance(value, Result):
        if value.kind == "argument":
            place, steps = value.detail
            return _view_of(arrays[place], steps)
        number, steps = value.detail
        if number not in made:
            elements, *which = [tensor.array for tensor in value.tensors]
            place = int(which[0]) if which else 0
            made[number] = _one_of(arrays, place, elements, steps)
            if place == KEPT and made.setdefault(KEPT, made[number]) is not made[number]:
                raise TypeError(
                    "two arrays of the result may be one item of a list that grew. Return a copy "
                    "of one of them, for instance x.copy()."
                )
        return made[number]
    if isinstance(value, ListResult):
        if value.number not in made:
            made[value.number] = value.made(arrays)
        return made[value.number]
    level = children(value)
    if level is None:
        return value
    keys, parts = level
    return rebuild(type(value), keys, [_finished(part, arrays, made) for part in parts], value)


def _one_of(arrays: Sequence[Any], number: int, elements: Any, steps: Sequence[Step] = ()) -> Any:
    """Return an array of the caller by `Array.number`, or the view of it; or a new array."""
    place = KEPT - number if number < 0 else number
    return _view_of(arrays[place - 1], steps) if place else np.array(elements)


def _write(
    changed: Sequence[int],
    contents: Sequence[Any],
    arrays: Sequence[Any],
    name: str,
    are_new: bool,
) -> None:
    """Change the arguments of the caller."""
    if changed:
        _check_writes(changed, arrays, name)
        if len(changed) > 1 and not are_new:
            # Each may share memory with an argument that is about to change.
            contents = [np.array(each) for each in contents]
        for i, place in enumerate(changed):
            arrays[place][...] = contents[i]


def _check_writes(changed: Sequence[int], arrays: Sequence[Any], name: str) -> None:
    for place in changed:
        written = arrays[place]
        flags = written.flags
        if not flags.writeable:
            raise ValueError(f"assignment destination is read-only: {name} changes it")
        for other, array in enumerate(arrays):
            if other == place or not array.ndim:
                continue
            if array is not written and flags.owndata and array.flags.owndata:
                continue  # faster than `may_share_memory`
            if np.may_share_memory(written, array):
                raise ValueError(
                    f"{name} changes an array that shares memory with another one. Use a copy."
                )


# ---- repeated calls ----


class Text:
    """The text that does what `Outcome.for_caller` does, without an `Outcome`.

    Args:
      printer: prints the entry, and has the expressions of outputs.
      arrays: the expressions of the arrays of the caller, which may change.
      name: the name of the program.
      are_new: whether the outputs are new arrays.
    """

    def __init__(self, printer: Printer, arrays: Sequence[str], name: str, are_new: bool) -> None:
        """Start with the first output."""
        self._printer = printer
        self._bind = printer.bind
        self._arrays = arrays
        self._name = name
        self._are_new = are_new
        self._count = 0
        self._seen: set[int] = set()
        self._has_decided = False

    def outcome(self, form: Form) -> str | None:
        """Return the expression of the value for the caller, for the form of an `Outcome`.

        None: for results other than arrays, numbers, constants, and tuples and lists of them.
        """
        if not isinstance(form, Nest) or form.kind is not Outcome:
            return None
        value, *contents = form.parts
        changed, shared, places = form.keys
        outside = [self._printer.read[place.identity] for place in places.arguments]
        read = [f"{self._bind(place.read)}()" for place in places.read]
        self._arrays = [*self._arrays, *outside, *read]
        text = self._value(value)
        if text is None or shared or len(contents) != len(changed):
            return None
        if not all(map(_is_number_or_array, contents)):
            return None
        if not changed and not places.left:
            return text
        lines = self._printer.lines
        lines.append(f"value = {text}")  # which may share memory with what changes
        if changed:
            keys, write = self._bind(changed), self._bind(_write)
            values = f"{self._printer.outputs(self._count)}, ({', '.join(self._arrays)},)"
            lines.append(f"{write}({keys}, {values}, {self._name!r}, {self._are_new})")
        if places.left:
            lines.append("value, *left = value")
            lines += (
                f"{self._bind(place.write)}(left[{number}])"
                for number, place in enumerate(places.left)
            )
        return "value"

    def _value(self, form: Form) -> str | None:
        if not isinstance(form, Nest):
            return None
        if form.kind is Result:
            return self._leaf(form)
        texts = [text for text in map(self._value, form.parts) if text is not None]
        if form.kind not in (tuple, list) or len(texts) < len(form.parts):
            return None
        inside = "".join([f"{text}, " for text in texts])
        return f"({inside})" if form.kind is tuple else f"[{inside}]"

    def _leaf(self, form: Nest) -> str | None:
        kind, detail = form.keys
        if kind == "constant":
            return f"{self._bind(detail)}.copy()" if type(detail) is set else self._bind(detail)
        if kind == "argument":
            place, steps = detail
            array = self._arrays[place]
            return f"{self._bind(_view_of)}({array}, {self._bind(steps)})" if steps else array
        if not all(map(_is_number_or_array, form.parts)):
            return None
        place = self._count
        self._count += len(form.parts)
        if kind == "number":
            return self._printer.number(place)
        output = self._printer.output(place)
        if kind == "scalar":
            return output if self._are_new else f"{output}[()]"
        if detail[0] in self._seen:
            return self._made(detail[0]) if kind == "array" else None
        self._seen.add(detail[0])
        if kind == "one of":
            if self._has_decided:
                return None
            self._has_decided = True
            number, steps = self._printer.number(place + 1), self._bind(detail[1])
            arrays = f"({', '.join(self._arrays)},)"
            return f"{self._bind(_one_of)}({arrays}, {number}, {output}, {steps})"
        is_array = form.parts[0].spec.dims != ()  # compiled code gives a scalar without dimensions
        text = output if self._are_new and is_array else f"{self._bind(np.array)}({output})"
        self._printer.lines.append(f"{self._made(detail[0])} = {text}")
        return self._made(detail[0])

    @staticmethod
    def _made(number: int) -> str:
        """Return the name of a new array."""
        return f"made{number}"


def _is_number_or_array(form: Form) -> bool:
    return isinstance(form, Leaf) and not form.maybe and form.spec.dtype.numpy_dtype.kind in "biufc"
