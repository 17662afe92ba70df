"""Reads and writes of tensors in objects outside a function.

A function may assign an attribute of an object that outlives the call, or an item of a global list.
During the trace the place receives a symbolic tensor, which has no meaning afterwards. So the trace
restores the place, and the graph writes it at every run, as plain Python would.

The first graph embeds the former value of the place as a constant. The next call finds another
value, and a second graph reads the place as well. That graph serves from then on.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from autograph.conversion.class_facts import CACHED
from autograph.operators.aliases import may_be, may_hold_items_of
from autograph.operators.computed import dropped, line_of_cached
from autograph.operators.moved import Moved, is_parted, resolve
from autograph.operators.stand_ins import has_identity
from autograph.operators.variables import Conflict, Undefined, conflict_error
from autograph.reach.places import MISSING, Contents, Place
from autograph.reach.records import Hidden, RandomBits, RandomNumbers
from autograph.reach.walk import Reach, cached_by
from autograph.staging import Alternatives, trace
from autograph.writes import Line, last_name, line_of_argument_write, line_of_write
from runtime.control_flow import forms, joins, layouts
from runtime.control_flow.forms import Either, Fixed, Form, Growing, Leaf, Nest
from runtime.control_flow.growing import GrowingList
from runtime.control_flow.partial_dicts import PartialDict
from runtime.control_flow.undefined import PossiblyUndefined
from runtime.core import dtypes
from runtime.core.dispatch import record
from runtime.core.errors import StagingError
from runtime.core.graph import Graph
from runtime.core.opdef import MIXED, Effect, OpDef, register
from runtime.core.places import name_line
from runtime.core.structure import children, flatten, rebuild
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import EagerTensor
from runtime.functions.effects import SideEffect, change_in_words
from runtime.functions.sharing import Path, part_at, parts_with_identity, replaced, shared_spots
from runtime.functions.snapshots import Snapshot, snapshot
from runtime.functions.watched_arrays import WatchedArrays


def _read(xp: object, place: Place, form: Form) -> tuple[Any, ...]:
    tensors = layouts.tensors(form, place.read())
    return tuple(tensor.array for tensor in tensors)  # type: ignore[attr-defined]


def _write(xp: object, *arrays: object, place: Place, form: Form) -> tuple[()]:
    specs = [spec for spec, _ in layouts.specs(form)]
    tensors = (
        EagerTensor(array, spec if spec.dtype is dtypes.variant else None)
        for array, spec in zip(arrays, specs, strict=True)
    )
    place.write(_plain(form, layouts.value_from(form, tensors)))
    return ()


def _plain(form: Form, value: Any) -> Any:
    """Return the value with plain Python numbers and strings; `MISSING` if it is undefined."""
    if isinstance(form, Leaf):
        if isinstance(value, PossiblyUndefined):
            return _plain(form, value.held) if bool(value.defined) else MISSING
        if form.weak or form.spec.dtype is dtypes.string:
            return _number(value)
        return value
    if isinstance(form, Growing):
        return [_plain(form.element, item) for item in value]
    if isinstance(form, Either):
        return _plain(joins.alternative_of(form, value), value)
    if hasattr(type(value), "__autograph_chosen__"):
        return value.__autograph_chosen__()
    if isinstance(form, Nest):
        level = children(value)
        assert level is not None
        parts = [_plain(part, item) for part, item in zip(form.parts, level[1], strict=True)]
        if any(part is MISSING for part in parts):
            return MISSING  # no executed branch assigned the structure
        return rebuild(form.kind, form.keys, parts, form.like)
    return value


def _number(tensor: Any) -> Any:
    value = tensor.numpy()
    if isinstance(value, bytes):
        return value.decode()
    return value.item() if np.ndim(value) == 0 and hasattr(value, "item") else tensor


_NOT_CACHED = (
    "Its value is not kept in the object, since the statement may not run, but computed anew at "
    "the next call. Read it before the statement."
)


_CHANGES = "it changes an object of the program that is no variable"
READ = register(
    OpDef(
        "ReadOutside",
        {},
        lambda place, form: tuple(spec for spec, _ in layouts.specs(form)),
        lambda xp, place, form: _read(xp, place, form),
        outputs=None,
        effect=Effect.READ,
        local="it reads an object of the program that is no variable",
    )
)
WRITE = register(
    OpDef(
        "WriteOutside",
        {"*values": MIXED},
        lambda *values, place, form: (),
        _write,
        outputs=0,
        effect=Effect.WRITE,
        local=_CHANGES,
    )
)


def _share(xp: object, pairs: Sequence[tuple[Source, Target]]) -> tuple[()]:
    for source, (place, path) in pairs:
        part = source()
        if isinstance(place, Contents):
            replaced(place.owner, path, part)
        else:
            place.write(replaced(place.read(), path, part))
    return ()


SHARE = register(
    OpDef(
        "ShareOutside",
        {},
        lambda pairs: (),
        _share,
        outputs=0,
        effect=Effect.WRITE,
        local=_CHANGES,
    )
)


class FormOf(Snapshot):
    """The form of a value, for a graph that reads the value itself."""

    __slots__ = ("_form",)

    def __init__(self, form: Form) -> None:
        """Store the form."""
        self._form = form

    def matches(self, value: object) -> bool:
        """Return whether the form covers a value."""
        return _covers(self._form, form_before(value))

    def __str__(self) -> str:
        """Return a description of the form."""
        return forms.describe(self._form)


def form_before(value: object) -> Form:
    """Return the form of a value that a graph reads: its numbers may differ next time.

    Objects in it keep their identity.
    """
    return _form(value, lambda part: part if has_identity(part) else MISSING, forms.as_leaf)


def _form(value: object, kept: Callable[[Any], Any], of_number: Callable[[Form], Form]) -> Form:
    """Return the form of a value; objects that `kept` returns are leaves, `MISSING` is none."""
    value = resolve(value)
    if type(value) is not list and type(value) is not dict:
        return _part_form(value, kept, of_number)
    level = children(value)
    assert level is not None
    parts = (_part_form(part, kept, of_number) for part in level[1])
    return Nest(type(value), level[0], tuple(parts), value)


def _part_form(
    value: object, kept: Callable[[Any], Any], of_number: Callable[[Form], Form]
) -> Form:
    own = kept(value)
    if own is not MISSING:
        return Fixed(own)
    if type(resolve(value)) in (list, dict):
        return _form(value, kept, of_number)
    return of_number(forms.form_of(resolve(value)))


def _covers(form: Form, other: Form) -> bool:
    """Return whether a value of the other form can be read as one of this form."""
    return joins.join_or_none("", form, other) == form


def _as_written_before(before: Form, written: Form) -> Form:
    """Return the form in which a graph reads a value, given the form of the last write.

    A list that grew will grow again.
    """
    return written if _covers(written, before) else before


class Source(NamedTuple):
    """Access to an object that a graph left outside.

    Attributes:
      place: the place. If the path is empty, its owner is never replaced.
      path: leads from the value of the place to the object.
      known: the object, if `place` is None.
    """

    place: Place | None
    path: Path
    known: Any = None

    def __call__(self) -> Any:
        """Return the current object."""
        if self.place is None:
            return self.known
        held = self.place.owner if isinstance(self.place, Contents) else self.place.read()
        return part_at(held, self.path)


Target = tuple[Place, Path]


class Aliases(NamedTuple):
    """Aliases: which places that a graph reads hold the same object."""

    places: list[Place]

    def pairs_in(self, roots: Sequence[Any]) -> list[tuple[Source, Target]]:
        """Return each place whose object an earlier place holds, for the given values."""
        return [
            (Source(self.places[number], path), (self.places[other], target))
            for (number, path), (other, target) in shared_spots(roots)
        ]

    def read(self) -> Any:
        """Return the current aliases."""
        return tuple(shared_spots([place.read() for place in self.places]))


class Written(NamedTuple):
    """A place that a graph writes at every run.

    Attributes:
      place: the place.
      form: the form of the written value.
      before: the guard on the former value.
    """

    place: Place
    form: Form
    before: Snapshot


class _Running(threading.local):
    """The traces of this thread, the outermost first."""

    def __init__(self) -> None:
        self.traces: list[Outside] = []


_RUNNING = _Running()


class Outside:
    """The objects that a function reaches during its trace.

    Args:
      graph: the graph being recorded.
      function: the function.
      arguments: the objects among its arguments.
      known: places where an earlier trace left tensors; the graph reads them.
    """

    def __init__(
        self,
        graph: Graph,
        function: Callable[..., Any],
        arguments: dict[str, Any],
        known: Iterable[Written],
    ) -> None:
        """Write the tensors of the graph to the known places."""
        self._graph = graph
        self._function = function
        self._of_inner_traces: frozenset[Any] = frozenset()
        self.effects: list[SideEffect] = []
        self.returned: list[tuple[Source, Path]] = []
        self.kept: dict[int, Any] = {}
        self.compared: frozenset[int] = frozenset()
        self._owners: dict[int, Any] = {}
        self._given = {id(part) for _, part in parts_with_identity(tuple(arguments.values()))}
        self.values = {name_of(function): function, **arguments}
        self._reach = Reach([], self.values)
        self.arrays = WatchedArrays(self._reach)
        self._known: list[tuple[Place, Any]] = []
        self._read: dict[Any, Form] = {}
        roots: list[tuple[Place, Any]] = []
        for place, written, _ in known:
            before = place.read()
            self._known.append((place, before))
            if before is MISSING:
                continue
            form = _as_written_before(form_before(before), written)
            if layouts.specs(form):
                self._read[place.identity] = form
                roots.append((place, before))
                read_into(graph, place, form)
        self.aliases = Aliases([place for place, _ in roots])
        _share(None, self.aliases.pairs_in([before for _, before in roots]))

    def objects(self) -> Iterable[Any]:
        """Return the objects, before the trace changes any."""
        return self._reach.objects()

    def line_of_argument_write(self, name: str) -> Line | None:
        """Return the line that changes an argument in place."""
        return line_of_argument_write(self._function, self.objects(), name)

    @contextmanager
    def put_back_on_error(self) -> Iterator[None]:
        """Restore the objects if the trace fails, so that they hold no symbolic tensor."""
        _RUNNING.traces.append(self)
        try:
            yield
            self.arrays.put_back()
        except BaseException:
            self.arrays.put_back()
            for place, before in self._changes():
                if place.identity in self._read or _is_of_graph(_held(place)):
                    place.write(before)
            raise
        finally:
            _RUNNING.traces.pop()

    def _changes(self) -> Iterable[tuple[Place, Any]]:
        """Return the changed places with their values before the trace."""
        changes = {place.identity: (place, before) for place, before in self._known}
        for place, before in self._reach.changes(sealed=False):
            changes.setdefault(place.identity, (place, before))
        return changes.values()

    def finish(self, result: object) -> list[Written]:
        """Make the graph write the places that hold its tensors, and restore these places.

        Args:
          result: the return value of the function.

        Raises:
          StagingError: if no type covers a value, or an object would keep a symbolic tensor.
        """
        all_changed = [(place, before, _held(place)) for place, before in self._changes()]
        found = [
            each for each in all_changed if each[0].identity in self._read or _is_of_graph(each[2])
        ]
        self._owners = {
            id(value): place.owner for place, _, value in found if isinstance(place, Contents)
        }
        # A place whose list was replaced by its stand-in has not changed.
        left = [each for each in found if not self._is_same(*each)]
        try:
            written = []
            for place, before, value in left:
                with _named_with_line(place):
                    written.append(self._written(place, before, value))
            self._share([(place, value) for place, _, value in left], result)
        finally:
            for place, before, _ in found:
                place.write(before)
        for place, _, value in all_changed:
            for leaf in _leaves(value):
                with _named_with_line(place):
                    self._refuse_inner_tensors(place, leaf)
        self._refuse_cached_tensors()
        self.compared = frozenset(map(id, trace.compared))
        self._note_side_effects()
        return written

    def _is_same(self, place: Place, before: object, value: object) -> bool:
        """Return whether a place holds its former value, or the stand-in of that value."""
        if not isinstance(place, Contents):
            return self._owners.get(id(value), self) is before
        if type(value) is not type(before) or type(value) not in (list, dict):
            return False
        own, old = children(value), children(before)
        assert own is not None and old is not None
        pairs = zip(own[1], old[1], strict=False)
        return own[0] == old[0] and all(self._owners.get(id(a), a) is b for a, b in pairs)

    def _share(self, left: Sequence[tuple[Place, Any]], result: object) -> None:
        """Preserve aliases among the places and the result."""
        roots = [*(value for _, value in left), result]
        pairs: list[tuple[Source, Target]] = []
        for (number, path), (other, target) in shared_spots(roots, self._stays):
            if number == len(left):
                continue  # both are in the result
            source = Source(left[number][0], path)
            if other == len(left):
                self.returned.append((source, target))
            else:
                pairs.append((source, (left[other][0], target)))
        if pairs:
            record(self._graph, SHARE, (), {"pairs": pairs})
        for path, part in parts_with_identity(result, self._stays):
            if self._stays(part) and id(part) not in self._given:
                self.returned.append((Source(None, (), self._original(part)), path))

    def _stays(self, value: object) -> bool:
        """Return whether an object existed before the call, or is the stand-in of one."""
        return id(value) in self._owners or self._is_old(value)

    def _original(self, value: object) -> Any:
        value = self._owners.get(id(value), value)
        self.kept[id(value)] = value
        return value

    def identities(self) -> Iterator[tuple[Place, Any]]:
        """Yield the places of existing objects that the graph returns or stores elsewhere."""
        for value in self.kept.values():
            for place in self._reach.holders(value):
                yield place, value

    def _note_side_effects(self) -> None:
        """Collect side effects after the tensors are removed from the objects."""
        changes = self._reach.changes(sealed=False)
        sealed = self._reach.sealed_changes()
        self.changed_places = frozenset(place.identity for place, _ in changes)
        self.changed_objects = frozenset(
            [id(place.owner) for place, _ in changes] + [id(each.owner) for each in sealed]
        )
        for place, before in changes:
            text = change_in_words(place, before, place.read())
            if text and place.identity not in self._of_inner_traces:
                self._note(place.label, text)
        for known in dropped():
            if self._reach.holds(known.owner):
                text = f"`{known.label}`, a cached property that a staged statement reads first"
                self.effects.append(SideEffect(known.label, text, lambda: None, _NOT_CACHED))
        for each in sealed:
            # Random number generators have their own warning.
            is_random = isinstance(each, (Hidden, RandomBits, RandomNumbers))
            if not is_random and id(each.owner) not in self._of_inner_traces:
                self._note(each.label, f"`{each.label}`, {each.kind()}, in place")
        if _RUNNING.traces:
            own = self.changed_places.union(id(each.owner) for each in sealed)
            _RUNNING.traces[-1]._of_inner_traces |= own | self._of_inner_traces

    def _note(self, label: str, text: str) -> None:
        name = last_name(label)
        if name.startswith("_") and name not in self._reach.vocabulary:
            return  # A library keeps it in an object of the program.
        line = functools.partial(line_of_write, self._function, self.objects(), label)
        self.effects.append(SideEffect(label, text, line))

    def _refuse_inner_tensors(self, place: Place, value: object) -> None:
        """Raise StagingError if an object created by the function outlives it and holds a symbolic
        tensor.
        """
        if not has_identity(value) or self._reach.holds(value):
            return
        inner = Reach([], {place.label: value}).objects()
        tensor = next((each for each in inner if isinstance(each, SymbolicTensor)), None)
        if tensor is not None:
            raise StagingError(
                f"`{place.label}` outlives the function, which makes the "
                f"{type(value).__name__} that it holds, and a tensor in it ({tensor.spec}) has "
                "its value only when the graph runs.",
                remedy="Make the object outside the function, or return it.",
            )

    def _refuse_cached_tensors(self) -> None:
        """Raise StagingError if a cached function keeps a symbolic tensor in a result."""
        for function in self.objects():
            if type(function) is not CACHED:
                continue
            kept = Reach([], {function.__name__: tuple(cached_by(function))}).objects()
            tensor = next((each for each in kept if isinstance(each, SymbolicTensor)), None)
            if tensor is not None:
                raise StagingError(
                    f"`{function.__name__}` keeps its results, and a tensor is left in one of "
                    f"them ({tensor.spec}) that has its value only when the graph runs.\n"
                    f"  {line_of_cached(function)}\n",
                    remedy="Change a copy of the result.",
                )

    def _written(self, place: Place, before: object, value: object) -> Written:
        if type(value) is Conflict:
            raise conflict_error(value, f"it is left in `{place.label}`")
        for leaf in _leaves(value):
            if issubclass(type(leaf), Moved):
                leaf.refuse()
            if issubclass(type(leaf), PartialDict):
                raise StagingError(
                    f"`{place.label}` outlives the function, which leaves keys in it only where a "
                    "staged statement runs.",
                    remedy="Give it all of its keys before the statement.",
                )
        self._refuse_choice(place, value)
        if isinstance(place, Contents) and type(value) not in (list, dict):
            form = forms.form_of(value)
        elif not isinstance(place, Contents) and self._stays(value):
            form = Fixed(self._original(value))
        else:
            form = _form(value, self._kept, lambda form: form)
        write_from(self._graph, place, form, value)
        read = self._read.get(place.identity)
        return Written(place, form, snapshot(before) if read is None else FormOf(read))

    def _refuse_choice(self, place: Place, value: object) -> None:
        """Raise StagingError if the list that a place receives is known only at run time.

        A choice among existing objects by a tensor is resolved after the run.
        """
        for _, part in parts_with_identity(value, self._stays):
            refers = getattr(type(part), "__autograph_refers__", None)
            if refers is None:
                others = [each for each in may_be(part) if self._outlives(each, place)]
            else:
                others = [each for each in refers(part) if not self._stays(each)]
            if others:
                raise StagingError(
                    f"`{place.label}` outlives the function, and a staged statement decides "
                    f"which {type(others[0]).__name__} it is: one of them has another name, too.",
                    remedy=f"Assign a copy, for instance {type(others[0]).__name__}(x).",
                )

    def refuse_choice_in(self, result: object) -> None:
        """Raise StagingError if the list in a result is known only at run time.

        The caller can see the difference if the list is also another part of the result, or
        outlives the call. Arguments are copies.
        """
        parts = parts_with_identity(result)
        own = {id(part) for _, part in parts} | self._kept_outside()
        for _, part in parts:
            refers = getattr(type(part), "__autograph_refers__", None)
            if refers is None:
                candidates = [*may_be(part), *may_hold_items_of(part)]
            else:
                candidates = refers(part)
            known = (each for each in candidates if not is_parted(each))
            shared = next((each for each in known if id(resolve(each)) in own), None)
            if shared is not None:
                kind = type(part if refers is None else shared).__name__
                raise StagingError(
                    f"the result holds a {kind} that may be another part of it, or an object that "
                    "outlives the function, as a staged statement decides.",
                    remedy=f"Return a copy, for instance {kind}(x).",
                )

    def _kept_outside(self) -> set[int]:
        held = {id(resolve(each)) for each in self._reach.objects() if has_identity(each)}
        return held - self._given

    def _outlives(self, value: object, place: Place) -> bool:
        """Return whether another place holds the object after the call."""
        holders = self._reach.holders(value) if self._is_old(value) else []
        return any(each.identity != place.identity for each in holders)

    def _kept(self, value: object) -> Any:
        """Return the object from before the call to which the graph refers, or `MISSING`."""
        return self._original(value) if self._stays(value) else MISSING

    def _is_old(self, value: object) -> bool:
        return has_identity(value) and self._reach.holds(value)


def read_into(graph: Graph, place: Place, form: Form) -> None:
    """Store the tensors with which a graph reads a place in the place."""
    outputs = record(graph, READ, (), {"place": place, "form": form})
    place.write(*layouts.results([form], outputs))


def write_from(graph: Graph, place: Place, form: Form, value: object) -> None:
    """Make a graph write a value to a place when it runs."""
    record(graph, WRITE, layouts.tensors(form, value), {"place": place, "form": form})


def write_pending(graph: Graph, places: Iterable[Written]) -> None:
    """Make a graph write the places that a callee reads or writes, before the call."""
    for place, _, _ in places:
        value = _held(place)
        if _is_of_graph(value):
            write_from(graph, place, form_before(value), value)


def read_results(graph: Graph, places: Iterable[Written]) -> None:
    """Store the tensors with which the trace reads the places that a callee wrote."""
    for place, form, _ in places:
        if layouts.specs(form):
            read_into(graph, place, form)


@contextmanager
def _named_with_line(place: Place) -> Iterator[None]:
    """Add the line of the last change to errors about a place."""
    try:
        yield
    except StagingError as error:
        name_line(error, trace.lines.get(place.identity, ""))
        raise


def _is_of_graph(value: object) -> bool:
    kinds = (
        SymbolicTensor, PartialDict, GrowingList, PossiblyUndefined, Conflict, Moved, Alternatives
    )  # fmt: skip
    return any(issubclass(type(leaf), kinds) for leaf in _leaves(value))


def _leaves(value: object) -> list[Any]:
    # Walking over a conflict raises an error.
    return [value] if type(value) is Conflict else flatten(value)[0]


def _held(place: Place) -> Any:
    if isinstance(place, Contents) and place.stand_in is not MISSING:
        return place.stand_in
    value = place.read()
    return Undefined(place.label) if value is MISSING else resolve(value)


def name_of(function: Callable[..., Any]) -> str:
    """Return the name of a function in messages."""
    return getattr(function, "__name__", type(function).__name__)
