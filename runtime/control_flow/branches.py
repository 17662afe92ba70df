"""Tracing of alternative branches: the outputs of their graphs have one form per variable."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any

from autograph.operators.variables import Conflict
from autograph.staging import ProgramName
from autograph.steps import Steps
from runtime.control_flow.tracing import (
    Unsettled,
    as_now,
    identities,
    inner_graph,
    is_seen,
    share_captures,
)
from runtime.control_flow.values import forms, joins, layouts
from runtime.control_flow.values.forms import RESULT as RESULT
from runtime.control_flow.values.forms import (
    Fixed,
    Form,
    Nest,
    is_singleton,
    may_be_none,
    part_path,
    refuse_conflicts,
)
from runtime.control_flow.values.joins import Mismatch, join
from runtime.control_flow.values.tables import Tables
from runtime.core.assignments import staging_error
from runtime.core.context import recording
from runtime.core.errors import StagingError
from runtime.core.graph import Graph
from runtime.core.opdef import OpDef
from runtime.core.operation import Operation
from runtime.core.places import place_of_use
from runtime.core.spec import TensorSpec
from runtime.core.structure import ordered_like
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import Tensor
from runtime.core.thread import STATE

Refusal = Callable[[Mismatch], StagingError]


def join_variable(name: str, found: Sequence[Form], refusal: Refusal, statement: str) -> Form:
    """Return the form of a variable after a statement, given its forms on all ways through it.

    A variable without one type becomes a conflict, whose uses raise what `refusal` returns.

    Raises:
      StagingError: for a result, attribute or item without one type, and for a conflict that meets
        a constant, which programs test with `is`.
    """
    meets_constant = not isinstance(name, ProgramName) and any(map(is_singleton, found))
    try:
        joined = reduce(partial(join, name), found)
    except Mismatch as mismatch:
        if meets_constant or not _is_variable(name):
            raise refusal(mismatch) from None
        return _with_conflicts(name, found, refusal)
    if meets_constant:
        refuse_conflicts(joined, f"It meets a constant in {statement}.")
    return joined


def _is_variable(path: str) -> bool:
    """Return whether a path names a variable, not a result, attribute or item."""
    return path != RESULT and "." not in path and "[" not in path


def _conflict(error: StagingError, none: bool) -> Fixed:
    """Return the form of a variable that raises an error like this one when used.

    `none`: whether one of the values that the error describes is None.
    """

    def refusal(use: str | None) -> StagingError:
        place = place_of_use() if use is None else None
        used = f"It is used here:\n  {place}" if place else use
        text = f"{error.message}\n{used}" if used else error.message
        return StagingError(text, public=error.public)

    return Fixed(Conflict(refusal, none))


def _with_conflicts(path: str, found: Sequence[Form], refusal: Refusal) -> Form:
    """Return the form of a variable of which only the parts without one type raise when used."""
    first = found[0]
    if isinstance(first, Nest) and first.kind in (list, dict):
        alike = (
            isinstance(form, Nest) and (form.kind, form.keys) == (first.kind, first.keys)
            for form in found
        )
        if all(alike):
            columns = enumerate(zip(*(form.parts for form in found), strict=True))  # type: ignore[union-attr]
            parts = [
                _with_conflicts(part_path(path, first, i), part, refusal) for i, part in columns
            ]
            return Nest(first.kind, first.keys, tuple(parts), first.like)
    try:
        return reduce(partial(join, path), found)
    except Mismatch as mismatch:
        return _conflict(refusal(mismatch), any(map(may_be_none, found)))


Outputs = tuple[Any, ...]
Branch = Callable[[], Outputs]


@dataclass(frozen=True)
class Arm:
    """One branch.

    Attributes:
      steps: returns one output for each name.
      attr: the attribute of the operation that holds the graph.
      label: the suffix of the name of the graph.
      title: the name of the branch in messages.
    """

    steps: Callable[[], Steps[Outputs]]
    attr: str
    label: str
    title: str


@dataclass(frozen=True)
class Choice:
    """An op that chooses among branches, and its messages.

    Attributes:
      stateless, stateful: the op types without and with effects.
      name: the name of the operation.
      statement: the program's name of the statement.
      every: the first word of the sentence that each branch may run.
      remedy: where else to assign a variable.
      opening: the prefix of a message about a result, with the titles of two branches.
      dtypes: the suffix of a message about dtypes, with a variable and two dtypes.
    """

    stateless: OpDef
    stateful: OpDef
    name: str
    statement: str
    every: str
    remedy: str
    opening: str
    dtypes: str = ""


def infer(*inputs: Tensor, **branches: Graph) -> tuple[TensorSpec, ...]:
    """Return the specs that cover the outputs of all branches."""
    outputs = zip(*(graph.outputs for graph in branches.values()), strict=True)
    return tuple(reduce(_common, (tensor.spec for tensor in each)) for each in outputs)


def _common(a: TensorSpec, b: TensorSpec) -> TensorSpec:
    if a == b:
        return a
    joined = joins.join("output", forms.Leaf(a), forms.Leaf(b))
    assert isinstance(joined, forms.Leaf)
    return joined.spec


def results_of(functions: Sequence[Callable[[], Any]], instead: Tensor | None) -> list[Branch]:
    """Convert functions without parameters to branches with one output.

    Dicts follow the key order of the first result. An operation is not a result, because it has
    run; `instead` replaces it.
    """
    given: list[Any] = []

    def branch(function: Callable[[], Any]) -> Outputs:
        value = function()
        value = instead if isinstance(value, Operation) else value
        given.append(ordered_like(given[0], value) if given else value)
        return (given[-1],)

    return [partial(branch, function) for function in functions]


def check_pair(argument: str, pair: object) -> None:
    """Raise TypeError unless an entry of an argument is a pair."""
    if not isinstance(pair, tuple) or len(pair) != 2:
        raise TypeError(f"Each entry in '{argument}' must be a 2-tuple. Received {pair}.")


def record_branches(
    choice: Choice, decider: Tensor, arms: Sequence[Arm], names: tuple[str, ...]
) -> Steps[Outputs]:
    """Trace all branches and return the outputs of the one that `decider` selects.

    Raises:
      StagingError: if no form covers all values of a variable; names the variable.
    """
    outer: Graph = STATE.graph
    graphs, values, settled = [], [], []
    for arm in arms:
        with inner_graph(f"{choice.name.replace('/', '_')}_{arm.label}") as graph:
            try:
                values.append(as_now((yield from arm.steps())))
            except Unsettled:
                continue
        graphs.append(graph)
        settled.append(arm)
    if len(settled) < len(arms):
        if not settled:
            raise Unsettled
        return tuple(map(layouts.referred, (yield from settled[0].steps())))
    joined = [
        _joined(choice, arms, graphs, name, each)
        for name, each in zip(names, zip(*values, strict=True), strict=True)
    ]
    tables = Tables(names, joined)
    joined = tables.forms(joined)
    for graph, own in zip(graphs, values, strict=True):
        _set_outputs(graph, joined, tables.joined(own))
    captured = share_captures(graphs)
    seen = any(is_seen(op) for graph in graphs for op in graph.operations)
    definition = choice.stateful if seen else choice.stateless
    attrs = {arm.attr: graph for arm, graph in zip(arms, graphs, strict=True)}
    made = outer.record(definition, (decider, *captured), attrs, choice.name)
    layouts.mark_weak(joined, made)
    like = tables.joined(values[0])
    return tables.parted(layouts.results(joined, _named(outer, made), like))


def _named(outer: Graph, outputs: Sequence[Any]) -> Sequence[SymbolicTensor]:
    """Return the outputs under names that begin with that of the operation."""
    if not outputs:
        return outputs
    with outer.name_scope(f"{outputs[0].op.name}/"):
        return identities(outer, outputs)


def _set_outputs(graph: Graph, joined: list[Form], values: Outputs) -> None:
    with recording(graph):
        graph.outputs = list(map(graph.capture, layouts.all_tensors(joined, values)))


def _joined(
    choice: Choice, arms: Sequence[Arm], graphs: Sequence[Graph], name: str, values: Outputs
) -> Form:
    if len(values) > 1 and all(value is values[0] for value in values):
        return Fixed(values[0])
    found = list(map(_form_in, graphs, values))
    refusal = partial(_refusal, choice, arms, name, found)
    return _with_unchanged(join_variable(name, found, refusal, choice.statement), values)


def _form_in(graph: Graph, value: object) -> Form:
    """Return the form of a value in the graph of its branch, which may read it."""
    with recording(graph):
        return forms.form_of(value)


def _with_unchanged(form: Form, values: Sequence[Any]) -> Form:
    """Fix the items of a list or dict that no branch changes: they need no outputs."""
    if len(values) < 2 or not isinstance(form, Nest) or form.kind not in (list, dict):
        return form
    if any(type(value) is not form.kind for value in values):
        return form
    keys = range(len(form.parts)) if form.kind is list else form.keys
    columns = ([value[key] for value in values] for key in keys)
    parts = tuple(map(_item, form.parts, columns))
    return Nest(form.kind, form.keys, parts, form.like)


def _item(form: Form, items: Sequence[Any]) -> Form:
    first = items[0]
    if isinstance(first, Tensor) and all(item is first for item in items):
        return Fixed(first)
    return _with_unchanged(form, items)


def _titles(arms: Sequence[Arm], name: str, found: Sequence[Form]) -> tuple[str, str]:
    """Return the titles of the first two branches without a common form of the variable."""
    for place, form in enumerate(found):
        for earlier, each in enumerate(found[:place]):
            if joins.join_or_none(name, each, form) is None:
                return arms[earlier].title, arms[place].title
    return arms[0].title, arms[-1].title


def _refusal(
    choice: Choice, arms: Sequence[Arm], name: str, found: Sequence[Form], mismatch: Mismatch
) -> StagingError:
    titles = _titles(arms, name, found)
    left, right, path = mismatch.left, mismatch.right, mismatch.path
    opening = choice.opening.format(*titles) if path.startswith(RESULT) else ""
    for form, title in ((left, titles[0]), (right, titles[1])):
        if forms.is_undefined(form):
            return staging_error(
                f"`{path}` has no value after {title}, and {_other(mismatch)} after the other.",
                f"{choice.every} branch of {choice.statement} may run: assign `{path}` "
                f"{choice.remedy}.",
                path,
            )
        if forms.is_none(form):
            return staging_error(
                f"{opening}`{path}` is None after {title}, and {_other(mismatch)} after the other.",
                f"{choice.statement.capitalize()} cannot choose between None and a value. Use a "
                "value of the same dtype in place of None, and a bool variable that says whether "
                "it is set.",
                path,
            )
    reason = f" ({mismatch.reason})" if mismatch.reason else ""
    kinds = forms.describe(left), forms.describe(right)
    return staging_error(
        f"{opening}`{path}` is {kinds[0]} after {titles[0]} and {kinds[1]} after {titles[1]}"
        f"{reason}.{_dtypes_in_words(choice, mismatch)}",
        f"{choice.every} branch of {choice.statement} may run, so `{path}` needs one type. "
        f"{_agreement(mismatch, kinds)}, or test a Python value, which is decided while tracing.",
        path,
    )


def _dtypes_in_words(choice: Choice, mismatch: Mismatch) -> str:
    dtypes = mismatch.dtypes
    return choice.dtypes.format(mismatch.path, *(each.name for each in dtypes)) if dtypes else ""


def _agreement(mismatch: Mismatch, kinds: tuple[str, str]) -> str:
    """Return the remedy that unifies the output types of two branches."""
    if all(kind.startswith("a dict") for kind in kinds):
        return "Give the dict all its keys before, each with a value of its type"
    if any("the Python" in kind for kind in kinds):
        return "Assign tensors, or a tuple or dataclass of tensors, in both"
    call = mismatch.conversion
    return f"Convert one side, for instance with {call}" if call else "Assign one type in both"


def _other(mismatch: Mismatch) -> str:
    hidden = forms.is_undefined(mismatch.left) or forms.is_none(mismatch.left)
    return forms.describe(mismatch.right if hidden else mismatch.left)
