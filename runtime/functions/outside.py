"""Reads and writes of tensors in objects outside a function.

A function may assign an attribute of an object that outlives the call, or an item of a global list.
During the trace the place receives a symbolic tensor, which has no meaning afterwards. So the trace
restores the place, and the graph writes it at every run, as plain Python would.

The first graph embeds the former value of the place as a constant. The next call finds another
value, and a second graph reads the place as well. That graph serves from then on.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from autograph.conversion.class_facts import CACHED
from autograph.operators.aliases import may_be
from autograph.operators.carrying import require_quiet_keys
from autograph.operators.computed import line_of_cached
from autograph.operators.moved import Moved, is_parted, resolve
from autograph.operators.stand_ins import has_identity
from autograph.operators.variables import Conflict, conflict_error
from autograph.reach.places import MISSING, Contents, Place
from autograph.reach.reads import Reads
from autograph.reach.referents import cached_by
from autograph.reach.walk import Reach
from autograph.staging import is_one_of, trace
from autograph.writes import Line, line_of_argument_write
from runtime.control_flow.tracing import may_raise
from runtime.control_flow.values import forms, layouts
from runtime.control_flow.values.forms import Fixed, Form
from runtime.control_flow.values.partial_dicts import PartialDict
from runtime.core.errors import StagingError
from runtime.core.graph import Graph
from runtime.core.places import name_line
from runtime.core.structure import children
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import Tensor
from runtime.core.thread import STATE
from runtime.functions.appended import Appended, appended
from runtime.functions.effects import SideEffect, definition_of, side_effects
from runtime.functions.outside_ops import (
    PLAIN,
    RUNNING,
    SHARE,
    Aliases,
    FormOf,
    Source,
    Target,
    Tracker,
    Written,
    as_written_before,
    form_before,
    form_with,
    held_in,
    is_of_graph,
    leaves_of,
    read_into,
    share,
    write_from,
)
from runtime.functions.result_aliases import copy_in_words, refuse_possible_aliases
from runtime.functions.sharing import Path, parts_with_identity, possible_parts, shared_spots
from runtime.functions.signature import name_of
from runtime.functions.snapshots import snapshot
from runtime.functions.watched_arrays import Watch, WatchedArrays


class Outside(Tracker):
    """The objects that a function reaches during its trace.

    `known` are places where an earlier trace left tensors; the graph reads them.

    Attributes:
      appended: the ends of lists that the function only appends to.
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
        self._compared: list[Any] = []
        self._owners: dict[int, Any] = {}
        self._left: dict[int, list[Place]] = {}
        self._given = {id(part) for _, part in parts_with_identity(tuple(arguments.values()))}
        self.values = {name_of(function): function, **arguments}
        self.reach = Reach([], self.values)
        self.arrays = WatchedArrays(self.reach)
        self.appended: dict[Any, Appended] = {}
        self._known: list[tuple[Place, Any]] = []
        self._of_calls: set[Any] = set()
        self._read: dict[Any, Form] = {}
        roots: list[tuple[Place, Any]] = []
        for earlier, written, _ in known:
            place = self.reach.own_place(earlier)
            if place is None or isinstance(earlier, Appended):
                continue  # of another instance, or of a graph that is called: `track` does it
            before = place.read()
            self._known.append((place, before))
            # The graph refers to an object that another place holds, too: its contents are a place.
            is_shared = not isinstance(place, Contents) and self._is_held_besides(before, place)
            if before is MISSING or is_shared:
                continue
            form = as_written_before(form_before(before), written)
            if layouts.specs(form):
                self._read[place.identity] = form
                roots.append((place, before))
                read_into(graph, place, form)
        self.aliases = Aliases([place for place, _ in roots])
        share(None, self.aliases.pairs_in([before for _, before in roots]))

    def track(self, places: Iterable[Written]) -> None:
        """Track the places that a recorded call writes and only the called graph reaches.

        Raises: StagingError in a staged statement, which would not restore them.
        """
        known = {place.identity for place, _ in self._known}
        self._of_calls |= {place.identity for place, _, _ in places}
        for place, _, _ in places:
            if place.identity in known or self.reach.own_place(place) is not None:
                continue
            if STATE.graph is not self._graph:
                raise StagingError(
                    f"a graph that a staged statement calls changes `{place.label}`, which the "
                    "function that has the statement does not reach.",
                    remedy="Call the function in place of its concrete function.",
                )
            self._known.append((place, place.read()))

    def note_inner(self, changed: frozenset[Any]) -> None:
        """Take over side effects that a trace within this one has reported."""
        self._of_inner_traces |= changed

    def objects(self) -> Iterable[Any]:
        """Return the objects, before the trace changes any."""
        return self.reach.objects()

    def line_of_argument_write(self, name: str) -> Line | None:
        """Return the line that changes an argument in place."""
        return line_of_argument_write(self._function, self.objects(), name)

    @contextmanager
    def put_back_on_error(self) -> Iterator[None]:
        """Restore the objects if the trace fails, so that they hold no symbolic tensor."""
        RUNNING.traces.append(self)
        try:
            yield
            self.arrays.put_back()
        except BaseException:
            self.arrays.put_back()
            for place, before in self.changes():
                poisoned = is_parted(place.read())
                if poisoned or place.identity in self._read or is_of_graph(held_in(place)):
                    place.write(before)
            raise
        finally:
            RUNNING.traces.pop()

    def replace_arrays(
        self, places: Sequence[Place], traced: Callable[[Tensor], Any]
    ) -> list[Watch]:
        """Store traced arrays in places; see `Tracker`.

        Raises: StagingError for an array that is reached in a way that is no place.
        """
        found = self.arrays.of(places) if places else []
        if not found:
            return []  # as for most programs: no walk is needed
        for watch in found:
            watch.hold(traced(self._graph.add_capture(watch.read())))
        reached = Reach([], self.values)
        for watch in found:
            if reached.holds(watch.array):
                raise StagingError(
                    f"`{watch.places[0].label}` changes, an array outside the function that a "
                    "tuple or the default of a parameter holds, too.",
                    remedy="Keep it in an attribute, a list or a variable alone.",
                )
        return found

    def read_arrays(self) -> list[Place]:
        """Return the places of the arrays that the code of the function mentions."""
        return self.arrays.places_of(Reads(self.values).objects())

    def changes(self) -> Iterable[tuple[Place, Any]]:
        """Return the changed places with their values before the trace."""
        changes = {place.identity: (place, before) for place, before in self._known}
        try:
            found = self.reach.changes(sealed=False)
            for place, _ in found:
                if isinstance(place, Contents):
                    require_quiet_keys(place.owner, place.label)
        except StagingError as error:
            name_line(error, str(definition_of(self._function)))
            raise
        for place, before in found:
            changes.setdefault(place.identity, (place, before))
        return changes.values()

    def finish(self, result: object, runs: bool = True) -> list[Written]:
        """Make the graph write the places that hold its tensors, and restore these places.

        If the graph does not run, because the trace created variables and another one follows, what
        it adds stays, as what it sets up does.

        Raises: StagingError if no type covers a value, or an object would keep a symbolic tensor.
        """
        all_changed = [(place, before, held_in(place)) for place, before in self.changes()]
        raises = runs and any(map(may_raise, self._graph.operations))
        found = [
            each
            for each in all_changed
            if each[0].identity in self._read
            or is_of_graph(each[2])
            or (raises and _is_added(each[1], each[2]))
        ]
        self._owners = {
            id(value): place.owner for place, _, value in found if isinstance(place, Contents)
        }
        # A place whose list was replaced by its stand-in has not changed.
        left = [each for each in found if not self._is_same(*each)]
        for place, _, value in left:
            for _, part in parts_with_identity(value, self._stays):
                self._left.setdefault(id(part), []).append(place)
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
            for leaf in leaves_of(value):
                with _named_with_line(place):
                    self._refuse_inner_tensors(place, leaf)
        self._refuse_cached_tensors()
        self.compared = frozenset(map(id, trace.compared))
        self._compared = [each for each in trace.compared if self.is_old(each)]
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
            self._graph.record(SHARE, (), {"pairs": pairs})
        for path, part in parts_with_identity(result, self._stays):
            if self._stays(part) and id(part) not in self._given:
                self.returned.append((Source(None, (), self._original(part)), path))

    def _stays(self, value: object) -> bool:
        """Return whether an object existed before the call, or is the stand-in of one."""
        return id(value) in self._owners or self.is_old(value)

    def _original(self, value: object) -> Any:
        value = self._owners.get(id(value), value)
        self.kept[id(value)] = value
        return value

    def identities(self) -> Iterator[tuple[Place, Any]]:
        """Yield the places of existing objects that the graph returns, stores or has compared."""
        for value in (*self.kept.values(), *self._compared):
            for place in self.reach.holders(value):
                yield place, value

    def _note_side_effects(self) -> None:
        """Collect side effects after the tensors are removed from the objects."""
        changes = self.reach.changes(sealed=False)
        sealed = self.reach.sealed_changes()
        self.changed_places = frozenset(place.identity for place, _ in changes)
        owners = frozenset(id(each.owner) for each in sealed)
        self.changed_objects = owners.union(id(place.owner) for place, _ in changes)
        reported = self._of_inner_traces
        found = side_effects(
            self.reach,
            self._function,
            [each for each in changes if each[0].identity not in reported],
            [each for each in sealed if id(each.owner) not in reported],
        )
        self.effects.extend(found)
        if RUNNING.traces:
            RUNNING.traces[-1].note_inner(self.changed_places | owners | reported)

    def _refuse_inner_tensors(self, place: Place, value: object) -> None:
        """Raise StagingError if an object created by the function outlives it and holds a symbolic
        tensor.
        """
        if not has_identity(value) or self.reach.holds(value):
            return
        tensor = _tensor_in(place.label, value)
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
            tensor = _tensor_in(function.__name__, tuple(cached_by(function)))
            if tensor is not None:
                raise StagingError(
                    f"`{function.__name__}` keeps its results, and a tensor is left in one of "
                    f"them ({tensor.spec}) that has its value only when the graph runs.\n"
                    f"  {line_of_cached(function)}\n",
                    remedy="Change a copy of the result.",
                )

    def _written(self, place: Place, before: object, value: Any) -> Written:
        if type(value) is Conflict:
            raise conflict_error(value, f"it is left in `{place.label}`")
        for leaf in leaves_of(value):
            if issubclass(type(leaf), Moved):
                leaf.refuse()
            if hasattr(type(leaf), "__autograph_truth_only__"):
                raise leaf.__autograph_truth_only__
            if issubclass(type(leaf), PartialDict):
                raise StagingError(
                    f"`{place.label}` outlives the function, which leaves keys in it only where a "
                    "staged statement runs.",
                    remedy="Give it all of its keys before the statement.",
                )
        self._refuse_choice(place, value)
        for each in value.__autograph_values__ if is_one_of(value) else ():
            for leaf in leaves_of(each):
                self._refuse_inner_tensors(place, leaf)
        end = self.end_of(place, before)
        if end is not None:
            place, value = end
        is_items = isinstance(place, (Contents, Appended))
        if is_items and type(value) not in (list, dict):
            form = forms.form_of(value)
        elif not is_items and self._stays(value):
            form = Fixed(self._original(value))
        else:
            form = form_with(value, self._kept, lambda form: form)
        with _named_with_line(place):
            write_from(self._graph, place, form, value)
        if end is not None:
            return Written(place, form, None)
        read = self._read.get(place.identity)
        return Written(place, form, snapshot(before) if read is None else FormOf(read))

    def end_of(self, place: Place, before: Any) -> tuple[Appended, Any] | None:
        """Return the end of a list and what the function appends to it; see `Tracker`.

        None for a graph that others call: it writes the whole list, which they may read.
        """
        is_own = self._graph.outer is None and place.identity not in self._of_calls
        if not isinstance(place, Contents) or not is_own:
            return None
        value = held_in(place)
        found = appended(place, before, value, self.arrays, self.values, lambda: self._reads)
        if found is not None:
            self.appended[place.identity] = found[0]
        return found

    @functools.cached_property
    def _reads(self) -> Reads:
        return Reads(self.values)

    def _refuse_choice(self, place: Place, value: object) -> None:
        """Raise StagingError if the list that a place receives is known only at run time.

        A choice among existing objects by a tensor is resolved after the run.
        """
        parts = [part for _, part in parts_with_identity(value, self._stays)]
        for part in (*parts, *possible_parts(value)):
            refers = getattr(type(part), "__autograph_refers__", None)
            if refers is None:
                others = [each for each in may_be(part) if self._outlives(each, place)]
            else:
                others = [each for each in refers(part) if not self._stays(each)]
            if others:
                raise StagingError(
                    f"`{place.label}` outlives the function, and a staged statement decides "
                    f"which {type(others[0]).__name__} it is: one of them has another name, too.",
                    remedy=f"Assign {copy_in_words(type(others[0]))}.",
                )

    def refuse_choice_in(self, result: object) -> None:
        """Raise StagingError if the list in a result is known only at run time.

        The caller can see the difference if the list is also another part of the result, or
        outlives the call. Arguments are copies.
        """
        known = self._kept_outside() | self._assigned()
        refuse_possible_aliases(result, known, self._function)

    def _assigned(self) -> set[int]:
        """Return the ids of the new lists, dicts and objects that changed places hold."""
        held = (held_in(place) for place, _ in self.changes())
        return {id(part) for value in held for _, part in parts_with_identity(value, self._stays)}

    def _kept_outside(self) -> set[int]:
        held = {id(resolve(each)) for each in self.reach.objects() if has_identity(each)}
        return held - self._given

    def _outlives(self, value: object, place: Place) -> bool:
        """Return whether another place holds the object after the call."""
        holders = [
            *(self.reach.holders(value) if self.is_old(value) else ()),
            *self._left.get(id(value), ()),
        ]
        return any(each.identity != place.identity for each in holders)

    def _is_held_besides(self, value: object, place: Place) -> bool:
        """Return whether a place holds an object that is reached another way, too.

        The way may lead through what is not a place: a tuple, the default of a parameter.
        """
        if not self.is_old(value) or self._outlives(value, place):
            return self.is_old(value)
        place.write(None)
        try:
            return Reach([], self.values).holds(value)
        finally:
            place.write(value)

    def _kept(self, value: object) -> Any:
        """Return the object from before the call to which the graph refers, or `MISSING`."""
        return self._original(value) if self._stays(value) else MISSING

    def outliving(self) -> Callable[[Any], bool]:
        """Return a test of an object: whether it existed, or one that did holds it now."""

        @functools.cache  # a result may hold many lists
        def held() -> dict[int, Any]:
            now = [held_in(place) for place, _ in self.changes()]
            parts = (
                each for value in now if children(value) for each in parts_with_identity(value)
            )
            possible = (each for value in now for each in possible_parts(value))
            known = [*now, *(part for _, part in parts), *possible]
            return {id(each): each for part in known for each in (part, *may_be(part))}

        return lambda value: self.is_old(value) or id(value) in held()

    def is_old(self, value: object) -> bool:
        """Return whether a list, dict or object existed before the call."""
        return has_identity(value) and self.reach.holds(value)


def _is_added(before: object, value: object) -> bool:
    """Return whether a trace adds a plain value or a key that was missing.

    A run that raises an error first leaves it missing.
    """
    if type(before) is dict and type(value) is dict:
        return any(_is_added(before.get(key, MISSING), held) for key, held in value.items())
    return before is MISSING and type(value) in PLAIN


def _tensor_in(name: str, value: object) -> SymbolicTensor | None:
    """Return a tensor of a graph that a value reaches; None if there is none."""
    reached = Reach([], {name: value}).objects()
    return next((each for each in reached if isinstance(each, SymbolicTensor)), None)


@contextmanager
def _named_with_line(place: Place) -> Iterator[None]:
    """Add the line of the last change to errors about a place."""
    try:
        yield
    except StagingError as error:
        name_line(error, trace.lines.get(place.identity, ""))
        raise
