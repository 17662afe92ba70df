"""Tracing: running a Python function once to record a graph."""

from __future__ import annotations

import functools
import operator
from abc import get_cache_token
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from types import AsyncGeneratorType, CoroutineType, GeneratorType
from typing import Any

import numpy as np

from autograph.conversion.class_facts import CACHED
from autograph.errors import ENDS_TRACE, signals
from autograph.operators.aliases import check_choices
from autograph.operators.computed import check_computed, line_of_cached
from autograph.operators.results import TAKERS
from autograph.reach.places import Place
from autograph.reach.reads import Reads
from autograph.reach.walk import ATOMS, hashable_classes
from autograph.staging import trace as trace_state
from runtime.control_flow.recursion import noted_call
from runtime.control_flow.tracing import identities, is_seen, may_raise
from runtime.control_flow.values import forms, layouts
from runtime.control_flow.values.forms import Either, Fixed, Form, Keyed, Leaf, Nest
from runtime.control_flow.values.results import resolved
from runtime.core import dtypes
from runtime.core.context import recording
from runtime.core.errors import StagingError
from runtime.core.graph import Graph
from runtime.core.observed import AttributeReads, reading
from runtime.core.places import after_return, name_line, return_place
from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec, joined_weakness, spec_of
from runtime.core.structure import children, filled, flatten, map_structure
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import EagerTensor, Tensor
from runtime.core.thread import STATE
from runtime.functions.arguments import Arguments
from runtime.functions.concrete import ConcreteFunction
from runtime.functions.conversion import TENSORS, Mode, adopt, end_of_trace
from runtime.functions.guards import AttributeGuards, Guard, Guards
from runtime.functions.outside import Outside
from runtime.functions.outside_ops import Written
from runtime.functions.passed import passing
from runtime.functions.sharing import shared_parts
from runtime.functions.signature import Signature
from runtime.functions.snapshots import Identities, Same, Snapshot, snapshot
from runtime.functions.trace_type import Identity, Instance, TraceType, TracingContext
from runtime.functions.watched_arrays import ArraySpec, WatchedArray
from runtime.ops.array.identity import NO_OP
from runtime.ops.base.convert import default_dtype
from runtime.ops.effects.output import raise_when
from runtime.state.initial_values import arguments_given
from runtime.state.variable_type import VariableType

Level = tuple[Any, tuple[Any, ...]]
Contents = tuple[Any, Level]
"""A list or dict, and a copy of it."""


def trace(
    python_function: Callable[..., Any],
    name: str,
    signature: Signature,
    arguments: dict[str, Any],
    leaf_types: tuple[Any, ...],
    autograph: bool,
    places: Iterable[Written] = (),
    features: object = None,
    mode: Mode = TENSORS,
    created: Sequence[Any] = (),
) -> ConcreteFunction:
    """Trace a function.

    Args:
      python_function: the function.
      name: its name.
      signature: its parameters.
      arguments: the values of its parameters.
      leaf_types: the type of each leaf of the arguments; tensors become placeholders of these
        specs.
      autograph: whether to convert the function first.
      places: places outside that the function reads and writes, known from an earlier trace.
      features: converter features that the program selects by name.
      mode: what the program computes with.
      created: the variables that the trace has created, at its end. Such a graph does not run.

    Returns: A concrete function.

    Raises:
      StagingError: for code that cannot be traced; errors of the function pass through.
    """
    given = {key: value for key, value in arguments.items() if not isinstance(value, Instance)}
    # Before the program runs, which may count how often the keys of a dict are hashed.
    bound = _with_specs(given, leaf_types[len(arguments) - len(given) :])
    outer = STATE.graph
    graph = Graph(name, outer)
    function = mode.prepared(python_function, features) if autograph else python_function
    with end_of_trace(outer is None), mode.tracing(), recording(graph), reading() as attributes:
        inputs = _symbolic(graph, signature, arguments, leaf_types)
        outside = Outside(graph, python_function, _objects(inputs), places)
        if autograph:
            adopt(outside.objects())
        before = {argument: flatten(inputs[argument]) for argument in given}
        _refuse_cached(python_function, before)
        contents = {argument: contents_of(inputs[argument]) for argument in given}
        positional, named = signature.spread(inputs)
        with (
            arguments_given(graph, _known_arrays(arguments, leaf_types)),
            noted_call(python_function, positional, named),
            outside.put_back_on_error(),
            passing(inputs.values(), outside.is_old, outside.outliving),
        ):
            value = _returned_by(function, positional, named, graph, outside)
        with (
            after_return(python_function),
            _named_with_place(python_function),
            hashable_classes(),
        ):
            check_choices()
            check_computed()
            _restore(name, contents, outside)
            _refuse_changes(name, before, inputs, outside)
            form = forms.expanded(forms.form_of(value))
            forms.refuse_conflicts(form, f"It is part of what {name} returns.")
            result = _result_form("the returned value", form, name)
            own = layouts.tensors(result, value)
            written = outside.finish(value, runs=not created)
            graph.outputs = _returned(
                graph, [own[place] for place in layouts.places_by_key(result)]
            )
    taken = Arguments(name, signature.python, bound, graph)
    concrete = ConcreteFunction(graph, taken, result)
    concrete.written = written
    concrete.effects = outside.effects
    with end_of_trace(outer is None), _named_with_place(python_function), hashable_classes():
        reads = Reads(outside.values)
        guards = _guards_of(outside, reads, written, attributes)
        concrete.continued = [each for each in written if each.is_read(reads)]
    concrete.guards = guards if len(guards) else None
    concrete.shared = shared_parts(value)
    concrete.returned = outside.returned
    concrete.appends = bool(outside.appended)
    if not concrete.is_bound:
        graph.outer = None
    return concrete


def _itself(value: object) -> Any:
    return value


def _aliases_of_arrays(places: Sequence[Place]) -> tuple[tuple[int, int], ...]:
    """Return the number of the first place with the same array, and with one of its memory."""
    arrays: dict[int, int] = {}
    owners: dict[int, int] = {}
    found = []
    for number, place in enumerate(places):
        array = owner = place.read()
        while isinstance(getattr(owner, "base", None), np.ndarray):
            owner = owner.base
        same = arrays.setdefault(id(array), number)
        found.append((same, owners.setdefault(id(owner), number)))
    return tuple(found)


def _guards_of(
    outside: Outside, reads: Reads, written: Iterable[Written], attributes: AttributeReads
) -> Guards:
    """Build the guards of a graph, directly after its trace, for what the trace read and wrote."""
    arrays = frozenset(map(id, outside.arrays.taken()))
    lists = {id(place.owner) for place in outside.appended.values()}
    apart = arrays | outside.changed_objects | lists | {id(each.place.owner) for each in written}
    identities = Identities(apart, outside.compared.union(outside.kept))
    own = {each.place.identity for each in written} | outside.appended.keys()
    seen: set[int] = set()

    def held(value: object) -> Snapshot:
        # The array may be watched by an enclosing trace; Python code cannot read its elements.
        if id(value) in arrays or type(value) is WatchedArray:
            return ArraySpec(value)
        return snapshot(value, identities, seen)

    read = [
        (place, value)
        for place, value in reads.places()
        if place.identity not in own and place.identity not in outside.changed_places
    ]
    guards = [Guard(place.label, place.reader(), held(value)) for place, value in read]
    guards += [
        Guard(place.label, place.read, before) for place, _, before in written if before is not None
    ]
    guards += [Guard(place.label, place.read, Same(v)) for place, v in outside.identities()]
    aliases = outside.aliases
    if any(type(place.read()) not in ATOMS for place in aliases.places):
        guards.append(Guard("names of one list", aliases.read, snapshot(aliases.read())))
    changed = outside.arrays.changed()
    if changed:
        names = [*changed, *outside.arrays.places_of(reads.objects())]
        names = [place for place in names if id(place.owner) not in lists]
        aliases_now = partial(_aliases_of_arrays, names)
        guards.append(Guard("names of one array", aliases_now, snapshot(aliases_now())))
    for value, label in reads.containers():
        if id(value) not in seen and id(value) not in apart:
            guards.append(Guard(label, functools.partial(_itself, value), held(value)))
    known = seen | lists | own | outside.changed_places
    registered = get_cache_token() if reads.asks_abstract else None
    of_library = AttributeGuards(attributes, identities, known)
    guarded = frozenset(place.identity for place, _ in read)
    return Guards(guards, of_library, reads.functions, reads.classes, registered, guarded)


def _refuse_cached(function: Callable[..., Any], arguments: dict[str, Any]) -> None:
    """Raise StagingError if a function with a `functools` cache gets a tensor."""
    cached = getattr(function, "__func__", function)
    leaves = (leaf for leaves, _ in arguments.values() for leaf in leaves)
    if type(cached) is CACHED and any(isinstance(leaf, Tensor) for leaf in leaves):
        raise StagingError(
            f"`{cached.__name__}` caches its results with functools and gets a tensor, "
            f"which cannot be a cache key.\n  {line_of_cached(cached)}\n",
            remedy=f"Give `{cached.__name__}.__wrapped__` to tf.function.",
        )


def _returned_by(
    function: Callable[..., Any],
    positional: Iterable[Any],
    named: Mapping[str, Any],
    graph: Graph,
    outside: Outside,
) -> Any:
    """Return the result of the function.

    If the graph may raise another error first, the error of the function becomes its last
    operation: the values of a run decide which one is raised.
    """
    try:
        value = function(*positional, **named)
        with after_return(function), _named_with_place(function), hashable_classes():
            outside.refuse_choice_in(value)
            return resolved(value)
    except ENDS_TRACE:
        raise
    except BaseException as error:
        # Of a refusal that a library made its own error, only this one knows the line.
        if signals.swallowed() or not any(map(may_raise, graph.operations)):
            raise
        raise_when(True, error)
        return None


TAKERS.add(_returned_by.__code__)


@contextmanager
def _named_with_place(function: Callable[..., Any]) -> Iterator[None]:
    """Add the position of the `return` to errors raised after the function returned."""
    try:
        yield
    except StagingError as error:
        name_line(error, str(return_place(function) or ""))
        raise
    except Exception as error:  # of a value that has no tensor
        place = return_place(function)
        if place is not None:
            error.add_note(str(place))
        raise


def _returned(graph: Graph, results: list[Tensor]) -> list[SymbolicTensor]:
    """Return an `Identity` of each result with control dependencies on all effects."""
    own = [graph.capture(tensor) for tensor in results]
    effects = [op for op in graph.operations if is_seen(op)] if own else []
    if effects:
        with graph.control_dependencies(effects):
            effects = [graph.add(NO_OP.definition, (), {}, ())]
    with graph.control_dependencies(effects):
        return identities(graph, own)


def _objects(inputs: dict[str, Any]) -> dict[str, Any]:
    """Return the non-tensor arguments by name, for the search of reachable objects."""
    found = {}
    for name, value in inputs.items():
        leaves = [leaf for leaf in flatten(value)[0] if not isinstance(leaf, Tensor)]
        held = tuple(leaf.value if isinstance(leaf, Instance) else leaf for leaf in leaves)
        found[name] = held[0] if len(held) == 1 and children(value) is None else held
    return found


def _known_arrays(arguments: dict[str, Any], leaf_types: tuple[Any, ...]) -> dict[int, Any]:
    """Return the arrays of the eager inputs, by position."""
    leaves = (leaf for value in arguments.values() for leaf in flatten(value)[0])
    pairs = zip(leaves, leaf_types, strict=True)
    inputs = [leaf for leaf, kind in pairs if isinstance(kind, (TensorSpec, VariableType))]
    return {i: leaf.array for i, leaf in enumerate(inputs) if isinstance(leaf, EagerTensor)}


def _refuse_changes(
    name: str, before: dict[str, Any], arguments: dict[str, Any], outside: Outside
) -> None:
    """Refuse changes of argument structures with tensors: they are copies, so the change is
    lost.
    """
    for argument, (leaves, node) in before.items():
        with recording(None):  # a comparison does not use a TensorArray
            now, node_now = flatten(arguments[argument])
        holds_tensors = any(isinstance(leaf, Tensor) for leaf in leaves)
        if holds_tensors and (node != node_now or any(map(operator.is_not, leaves, now))):
            raise _changed(name, argument, outside)


def _restore(name: str, contents: dict[str, list[Contents]], outside: Outside) -> None:
    """Refuse changes of lists, dicts and objects without tensors, which belong to the caller."""
    for argument, held in contents.items():
        changed = [(own, before) for own, before in held if differs(own, before)]
        for own, before in changed:
            _put_back(own, before)
        if changed:
            line = trace_state.lines.get((id(changed[0][0]), "contents"), "")
            raise _changed(name, argument, outside, line)


def differs(own: Any, before: Level) -> bool:
    """Return whether a list, dict or object has other keys or parts than before."""
    now = children(own)
    if now is None or now[0] != before[0]:
        return True
    return any(map(operator.is_not, now[1], before[1]))


def _put_back(own: Any, before: Level) -> None:
    keys, parts = before
    if isinstance(own, list):
        own[:] = parts
    elif isinstance(own, dict):
        own.clear()
        own.update(zip(keys, parts, strict=True))
    else:
        for key, part in zip(keys, parts, strict=True):
            object.__setattr__(own, key, part)


def contents_of(value: Any) -> list[Contents]:
    """Return the lists, dicts and objects of a structure, each with its keys and parts."""
    level = children(value)
    if level is None or hasattr(type(value), "__tensor_flatten__"):
        return []
    own = [] if isinstance(value, tuple) else [(value, level)]
    return own + [each for part in level[1] for each in contents_of(part)]


def _changed(name: str, argument: str, outside: Outside, line: str = "") -> StagingError:
    return changed_argument(
        name, argument, line or str(outside.line_of_argument_write(argument) or "")
    )


def changed_argument(name: str, argument: str, line: str) -> StagingError:
    """Return the error for a function that changes a list, dict or object among its arguments."""
    error = StagingError(
        f"{name} should not modify its Python input arguments: it changes its argument "
        f"`{argument}` in place. That happens while the function is recorded, so the caller would "
        "not see it at each call. Modifying a copy is allowed; return the changed value, or change "
        "a runtime.Variable.",
        public=ValueError,
    )
    name_line(error, line)
    return error


def _symbolic(
    graph: Graph, signature: Signature, arguments: dict[str, Any], leaf_types: tuple[Any, ...]
) -> dict[str, Any]:
    """Return the arguments with a symbolic tensor for each tensor.

    Arguments without tensors stay as they are.
    """
    types = iter(leaf_types)
    variables: dict[int, Any] = {}
    result = {}
    for name, value in arguments.items():
        leaves, _ = flatten(value)
        own = [next(types) for _ in leaves]
        if any(isinstance(kind, (TensorSpec, VariableType, TraceType)) for kind in own):
            names = signature.input_names(name, value)
            value = filled(value, _placeholders(graph, names, leaves, own, variables))
        result[name] = value
    return result


def _placeholders(
    graph: Graph, names: list[str], leaves: list[Any], types: list[Any], variables: dict[int, Any]
) -> Iterator[Any]:
    for name, leaf, kind in zip(names, leaves, types, strict=True):
        if isinstance(kind, TensorSpec):
            label = leaf.name if isinstance(leaf, TensorSpec) and leaf.name else name
            yield graph.add_input(kind, label)
        elif isinstance(kind, VariableType):
            # Each argument has its own input, but aliases of a variable are one object in the
            # function.
            handle = graph.add_input(spec_of(dtypes.resource, ()), name)
            yield variables.setdefault(kind.alias, leaf.with_handle(handle))
        elif isinstance(kind, TraceType):
            yield kind.placeholder_value(TracingContext())
        else:
            yield leaf


_KEPT = (TensorSpec, Identity, VariableType, TraceType)


def _with_specs(arguments: dict[str, Any], leaf_types: tuple[Any, ...]) -> dict[str, Any]:
    """Return the arguments without live values: specs for tensors, identities for objects."""
    types = iter(leaf_types)

    def spec(leaf: object) -> Any:
        kind = next(types)
        return kind if isinstance(kind, _KEPT) else leaf

    return {name: map_structure(spec, value) for name, value in arguments.items()}


def _is_known_shape(value: object) -> bool:
    return isinstance(value, TensorShape) and value.is_fully_defined()


def _result_form(path: str, form: Form, name: str) -> Form:
    """Return the form of a result, with tensors for numbers, strings and known shapes."""
    if isinstance(form, Nest) and hasattr(form.kind, "__autograph_refers__"):
        raise _not_returned(name, path, type(form.keys.containers[0]), form)
    if isinstance(form, Nest):
        parts = tuple(
            _result_form(forms.part_path(path, form, i), part, name)
            for i, part in enumerate(form.parts)
        )
        return Nest(form.kind, form.keys, parts, form.like)
    if isinstance(form, Either):
        return Either(tuple(_result_form(path, part, name) for part in form.parts), form.path)
    if isinstance(form, Keyed):
        values = zip(form.keys, form.parts, strict=True)
        own = (_result_form(f"{path}[{key!r}]", part, name) for key, part in values)
        return Keyed(form.keys, tuple(own), form.owned, form.kind)
    leaf = forms.as_leaf(form)
    if isinstance(leaf, Leaf):
        dtype = default_dtype(leaf.spec.dtype) if leaf.weak else leaf.spec.dtype
        perhaps = joined_weakness(leaf.weak, False, mixed=False)
        return Leaf(leaf.spec.with_dtype(dtype), perhaps)
    if isinstance(leaf, Fixed) and _is_known_shape(leaf.value):
        return Leaf(spec_of(dtypes.int32, (len(leaf.value),)))
    if isinstance(leaf, Fixed) and leaf.value is not None:
        raise _not_returned(name, path, type(leaf.value), leaf)
    return leaf


def _not_returned(name: str, path: str, kind: type, form: Form) -> StagingError:
    remedy = _INSTEAD.get(kind) or (
        "A function that runs as a graph returns tensors, numbers, strings, None, and structures "
        "of them."
    )
    return StagingError(
        "To be compatible with tf.function, Python functions must return zero or more Tensors "
        f"or ExtensionTypes or None values; in compilation of {name}, found return value of "
        f"type {kind.__name__}, which is not a Tensor or ExtensionType: {path} is "
        f"{forms.describe(form)}. {remedy}",
        public=TypeError,
    )


_INSTEAD: dict[type, str] = {
    GeneratorType: "A graph cannot stop at a `yield`: append to a list, and return that.",
    CoroutineType: "A graph cannot wait: decorate a plain function, and call that after `await`.",
    AsyncGeneratorType: "A graph cannot wait: decorate a plain function; call that in the loop.",
}
"""Replacements for functions whose calls return objects that run later."""
