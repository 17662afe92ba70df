"""Layouts: the tensors of a value of a known form, and the value of these tensors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from operator import is_
from typing import Any

from autograph.operators.moved import resolve
from autograph.operators.stand_ins import Ref, StandIn
from autograph.operators.variables import Undefined
from autograph.staging import is_one_of
from runtime.control_flow.values.columns import Column, Rows
from runtime.control_flow.values.forms import (
    Either,
    Fixed,
    Form,
    Growing,
    Keyed,
    Leaf,
    Nest,
    Stack,
    refers,
)
from runtime.control_flow.values.growing import GrowingList
from runtime.control_flow.values.joins import place_of
from runtime.control_flow.values.merged_objects import Attributes
from runtime.control_flow.values.one_of import TensorOneOf
from runtime.control_flow.values.partial_dicts import Entry, PartialDict, partial_dict
from runtime.control_flow.values.stacks import stack_of, unstacked
from runtime.control_flow.values.undefined import PossiblyUndefined, placeholder
from runtime.core import dtypes
from runtime.core.errors import StagingError, VariantError
from runtime.core.graph import Graph
from runtime.core.shapes import element_count, known
from runtime.core.spec import TensorSpec, Weak, spec_of
from runtime.core.structure import Node, children, rebuild
from runtime.core.tensor import EagerTensor, Tensor
from runtime.core.thread import STATE
from runtime.ops.array.lists import list_reserve
from runtime.ops.base.convert import cast_to, convert_to_tensor, weakened
from runtime.ops.items.selecting import where


def argument(graph: Graph, name: str, form: Form) -> Any:
    """Add the inputs of a graph for a value of a form, and return the value of these inputs."""
    return value_from(form, iter(_inputs(graph, name, form)))


def loop_variable(graph: Graph, name: str, form: Form) -> Any:
    """Do the same as `argument` for a variable of a loop; a long list is one of the graph there."""
    if isinstance(form, Stack) and form.is_long:
        return _list_of_graph(form, *_inputs(graph, name, form))
    return argument(graph, name, form)


def _inputs(graph: Graph, name: str, form: Form) -> list[Tensor]:
    label = "".join(letter if letter.isalnum() else "_" for letter in name)
    return [graph.add_input(spec, label, weak) for spec, weak in specs(form)]


def all_tensors(forms: Sequence[Form], values: Iterable[Any]) -> list[Tensor]:
    """Return the tensors of several values, in the layouts of forms that cover them."""
    pairs = zip(forms, values, strict=True)
    return [tensor for form, value in pairs for tensor in tensors(form, value)]


def mark_weak(forms: Sequence[Form], outputs: Sequence[Tensor]) -> None:
    """Mark the outputs of an operation that represent Python numbers."""
    weak = [each for form in forms for _, each in specs(form)]
    for tensor, flag in zip(outputs, weak, strict=True):
        weakened(tensor, flag)


def results(
    forms: Sequence[Form], outputs: Sequence[Tensor], like: Sequence[object] | None = None
) -> tuple[Any, ...]:
    """Return the values that consist of the outputs of an operation.

    `like` are values of these forms: where one is a list of the graph, so is the result.
    """
    mark_weak(forms, outputs)
    source = iter(outputs)
    pairs = zip(forms, like or (None,) * len(forms), strict=True)
    return tuple(
        _list_of_graph(form, next(source))
        if isinstance(form, Stack) and _is_of_graph(value)
        else value_from(form, source)
        for form, value in pairs
    )


def _is_of_graph(value: object) -> bool:
    """Return whether a value, or each of its items, is a list of the graph."""
    first = value[0] if type(value) is list and value else value
    return isinstance(first, GrowingList)


def _list_of_graph(form: Stack, whole: Tensor) -> Any:
    """Return a list with the rows of a tensor, which stay in it; of a table, a list of these."""
    if isinstance(form.element, Stack):
        return [GrowingList([Rows(row)]) for row in unstacked(whole, form.count)]
    return GrowingList([Rows(whole)])


def _node(form: Form) -> Node | None:
    if not isinstance(form, Nest):
        return None
    return Node(form.kind, form.keys, tuple(map(_node, form.parts)))


def _columns(form: Growing) -> list[Column]:
    """Return empty columns for the elements of a growing list."""
    empty = list_reserve(0)
    return [Column(empty, spec, weak) for spec, weak in specs(form.element)]


def specs(form: Form) -> list[tuple[TensorSpec, Weak]]:
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
        ((element, weak),) = specs(form.element)
        return [(spec_of(element.dtype, (form.count, *known(element.dims or ()))), weak)]
    if isinstance(form, Nest):
        return [entry for part in form.parts for entry in specs(part)]
    return []


_RANK_SPEC = spec_of(dtypes.int32, ()), False


def places_by_key(form: Form) -> list[int]:
    """Return the positions of the tensors of a form, with the entries of each dict sorted by key.

    >>> import runtime as tf
    >>> from runtime.control_flow.values.forms import form_of
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
    if issubclass(type(value), StandIn) and not refers(form):
        value = value.items
    if isinstance(form, Leaf):
        return _leaf_tensors(form, value)
    if isinstance(form, Keyed):
        return _keyed_tensors(form, {} if type(value) is Undefined else value)
    if type(value) is Undefined:
        if isinstance(form, Growing):
            return [column.flow for column in _columns(form)]
        if isinstance(form, Nest):
            return [tensor for part in form.parts for tensor in tensors(part, value)]
        assert isinstance(form, Stack)
        value = [value] * form.count
    if isinstance(form, Growing):
        if not isinstance(value, GrowingList):
            value = GrowingList.of(value, _columns(form), _node(form.element))
        value = value.with_dtypes([spec.dtype for spec, _ in specs(form.element)])
        return [column.flow for column in value.columns]
    if isinstance(form, Stack):
        ((spec, weak),) = specs(form.element)
        if isinstance(value, GrowingList):
            (column,) = value.with_dtypes([spec.dtype]).columns
            return [column.with_weakness(weak).rows()]
        if isinstance(form.element, Stack):
            value = [tensor for row in value for tensor in tensors(form.element, row)]
            return [stack_of(value, spec.dtype, weak, convert_to_tensor)]
        return [stack_of(value, spec.dtype, weak, partial(element_tensor, form.element))]
    if refers(form):
        return [form.keys.position_of(value.value if type(value) is Ref else value)]
    if isinstance(value, GrowingList):
        value = value.known_items()
    level = children(Attributes(value) if form.kind is Attributes else value)
    assert level is not None
    return [t for part, v in zip(form.parts, level[1], strict=True) for t in tensors(part, v)]


def _tensors_of_either(form: Either, value: Any) -> list[Tensor]:
    values = value.__autograph_values__ if is_one_of(value) else (value,)
    places = [0 if type(each) is Undefined else place_of(form, each) for each in values]
    result = []
    for place, part in enumerate(form.parts):
        numbers = [number for number, own in enumerate(places) if own == place]
        held = tensors(part, values[numbers[0]] if numbers else _ABSENT.value)
        for number in numbers[1:]:
            test, others = value.__autograph_is_at__(number), tensors(part, values[number])
            held = [_chosen(form, test, *pair) for pair in zip(others, held, strict=True)]
        result += held
    position = convert_to_tensor(places[0])
    for number, place in enumerate(places[1:], 1):
        position = where(value.__autograph_is_at__(number), place, position)
    return [*result, position]


def _chosen(form: Either, test: Tensor, one: Tensor, other: Tensor) -> Tensor:
    """Return one of two tensors that represent the same part of two alternatives."""
    if one.spec.dims != other.spec.dims or element_count(one.spec.dims) is None:
        raise StagingError(
            f"`{form.path}` is one of several values with a part of the shape {one.shape}, or "
            f"{other.shape}, as a tensor decides.",
            remedy="Give that part one shape.",
            public=VariantError,
        )
    return where(test, one, other)


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
        one_of = getattr(STATE.symbolic, "one_of", TensorOneOf)
        return one_of(values, position, form.path)
    if isinstance(form, Keyed):
        return _dict_from(form, source)
    if isinstance(form, Stack):
        ((_, weak),) = specs(form.element)
        rows = unstacked(weakened(next(source), weak), form.count)
        if isinstance(form.element, Stack):
            return [value_from(form.element, iter([row])) for row in rows]
        return rows
    parts = [_named(value_from(part, source)) for part in form.parts]
    return rebuild(form.kind, form.keys, parts, form.like)


def _named(value: object) -> Any:
    return value.value if type(value) is Ref else value


def referred(value: Any, within: frozenset[int] = frozenset()) -> Any:
    """Return a value with the objects themselves in place of references to them.

    `within` are the ids of the structures that contain it; one that contains itself is unchanged.
    """
    if type(value) is Ref:
        return value.value
    if id(value) in within:
        return value
    inner = partial(referred, within=within | {id(value)})
    if is_one_of(value):
        return value.__autograph_with__(map(inner, value.__autograph_values__))
    if hasattr(type(value), "__autograph_carried__"):
        return value.mapped(inner)
    level = children(value)
    if level is None:
        return value
    parts = list(map(inner, level[1]))
    same = all(map(is_, parts, level[1]))
    return value if same else rebuild(type(value), level[0], parts, value)


def _dict_from(form: Keyed, source: Iterator[Tensor]) -> Any:
    """Return a dict; a Python dict if its keys are known."""
    entries = {
        key: Entry(value_from(part, source), next(source), next(source), owned)
        for key, part, owned in zip(form.keys, form.parts, form.owned, strict=True)
    }
    following = next(source)
    if not all(isinstance(entry.present, EagerTensor) for entry in entries.values()):
        return partial_dict(form.kind, entries, following)
    present = {key: entry for key, entry in entries.items() if entry.present}
    ordered = sorted(present, key=lambda key: int(present[key].rank))
    return form.kind.known({key: present[key].value for key in ordered})
