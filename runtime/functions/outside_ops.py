"""Operations that read and write places outside of a graph, and the forms of what is there."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from autograph.code_objects import reads_name
from autograph.operators.moved import Moved, resolve
from autograph.operators.stand_ins import has_identity
from autograph.operators.variables import Conflict, Undefined
from autograph.reach.places import MISSING, Cell, Contents, Place
from autograph.reach.reads import Reads
from autograph.reach.walk import Reach
from autograph.staging import Alternatives
from runtime.control_flow.truth import TruthOnly
from runtime.control_flow.values import forms, joins, layouts
from runtime.control_flow.values.forms import Either, Fixed, Form, Growing, Leaf, Nest
from runtime.control_flow.values.growing import GrowingList
from runtime.control_flow.values.partial_dicts import PartialDict
from runtime.control_flow.values.undefined import PossiblyUndefined
from runtime.core import dtypes
from runtime.core.errors import StagingError
from runtime.core.graph import Graph
from runtime.core.opdef import MIXED, Effect, OpDef, register
from runtime.core.structure import children, flatten, rebuild
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import EagerTensor, Tensor
from runtime.core.thread import STATE
from runtime.functions.sharing import Path, part_at, replaced, shared_spots
from runtime.functions.snapshots import Snapshot
from runtime.functions.watched_arrays import Watch, WatchedArrays


def _read(xp: object, place: Place, form: Form) -> tuple[Any, ...]:
    value = place.read()
    if value is MISSING and isinstance(form, Leaf) and form.maybe:
        value = Undefined(place.label)
    tensors = layouts.tensors(form, value)
    return tuple(tensor.array for tensor in tensors)  # type: ignore[attr-defined]


def _write(xp: object, *arrays: object, place: Place, form: Form, numpy: bool) -> tuple[()]:
    specs = [spec for spec, _ in layouts.specs(form)]
    tensors = (
        EagerTensor(array, spec if spec.dtype is dtypes.variant else None)
        for array, spec in zip(arrays, specs, strict=True)
    )
    place.write(_plain_from(form, tensors, numpy))
    return ()


def _plain_from(form: Form, source: Iterator[EagerTensor], numpy: bool) -> Any:
    """Rebuild a value with plain Python numbers and strings; `MISSING` if it is undefined.

    `numpy`: whether its other numbers are scalars of NumPy.
    """
    if isinstance(form, Leaf) and not form.maybe:
        return _plain(form, next(source), numpy)
    if isinstance(form, Either):
        values = [_plain_from(part, source, numpy) for part in form.parts]
        return values[int(next(source).array)]
    if isinstance(form, Nest) and not hasattr(form.kind, "__autograph_selected__"):
        parts = [_plain_from(part, source, numpy) for part in form.parts]
        if any(part is MISSING for part in parts):
            return MISSING  # no executed branch assigned the structure
        return rebuild(form.kind, form.keys, parts, form.like)
    value = layouts.referred(layouts.value_from(form, source))
    if isinstance(form, Growing):
        return [_plain(form.element, item, numpy) for item in value]
    return _plain(form, value, numpy)


def _plain(form: Form, value: Any, numpy: bool) -> Any:
    if hasattr(type(value), "__autograph_selected__"):
        return value.__autograph_selected__()
    if isinstance(form, Nest):  # a tuple in a list that grows
        level = children(value)
        assert level is not None
        parts = [_plain(part, item, numpy) for part, item in zip(form.parts, level[1], strict=True)]
        return rebuild(form.kind, form.keys, parts, form.like)
    if not isinstance(form, Leaf):
        return value
    if isinstance(value, PossiblyUndefined):
        return _plain(form, value.held, numpy) if bool(value.defined) else MISSING
    if form.spec.dtype is dtypes.string and form.weak is False:
        return value.numpy() if form.spec.dims == () else value  # bytes
    if form.weak or form.spec.dtype is dtypes.string:
        return _number(value)
    return np.asarray(value.array)[()] if numpy else value


def _number(tensor: Any) -> Any:
    value = tensor.numpy()
    if isinstance(value, bytes):
        return value.decode()
    return value.item() if np.ndim(value) == 0 and hasattr(value, "item") else tensor


_CHANGES = "it changes an object of the program that is not a variable"
READ = register(
    OpDef(
        "ReadOutside",
        {},
        lambda place, form: tuple(spec for spec, _ in layouts.specs(form)),
        lambda xp, place, form: _read(xp, place, form),
        outputs=None,
        effect=Effect.READ,
        local="it reads an object of the program that is not a variable",
    )
)
WRITE = register(
    OpDef(
        "WriteOutside",
        {"*values": MIXED},
        lambda *values, place, form, numpy: (),
        _write,
        outputs=0,
        effect=Effect.WRITE,
        local=_CHANGES,
    )
)


def share(xp: object, pairs: Sequence[tuple[Source, Target]]) -> tuple[()]:
    """Store the object of each source at its target."""
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
        share,
        outputs=0,
        effect=Effect.WRITE,
        local=_CHANGES,
    )
)


class FormOf(Snapshot):
    """The form of a value, for a graph that reads the value itself."""

    __slots__ = ("_form",)

    def __init__(self, form: Form) -> None:
        self._form = form

    def matches(self, value: object) -> bool:
        """Return whether the form covers a value."""
        return _covers(self._form, form_before(value))

    def can_read(self, value: object) -> bool:
        """Return whether a graph can read a value, also a tensor in place of a Python number."""
        joined = joins.join_or_none("", self._form, form_before(value))
        if joined is None:
            return False
        return [s for s, _ in layouts.specs(joined)] == [s for s, _ in layouts.specs(self._form)]

    def __str__(self) -> str:
        return forms.describe(self._form)


def form_before(value: object) -> Form:
    """Return the form of a value that a graph reads: its numbers may differ next time.

    Objects in it keep their identity.
    """
    return form_with(value, lambda part: part if has_identity(part) else MISSING, forms.as_leaf)


def form_with(value: object, kept: Callable[[Any], Any], of_number: Callable[[Form], Form]) -> Form:
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
    value = resolve(value)
    if type(value) in (list, dict):
        return form_with(value, kept, of_number)
    form = forms.form_of(value)
    if isinstance(form, Nest):
        level = children(value)
        assert level is not None
        parts = tuple(_part_form(part, kept, lambda own: own) for part in level[1])
        return Nest(form.kind, form.keys, parts, value)
    return of_number(form)


def _covers(form: Form, other: Form) -> bool:
    """Return whether a value of the other form can be read as one of this form."""
    return joins.join_or_none("", form, other) == form


def as_written_before(before: Form, written: Form) -> Form:
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
      before: the guard on the former value; None for a list to which the graph only appends.
    """

    place: Place
    form: Form
    before: Snapshot | None

    def is_read(self, reads: Reads) -> bool:
        """Return whether the code of the function may read the former value."""
        if self.before is None:
            return False
        if isinstance(self.place, (Cell, Contents)):
            return True
        return any(reads_name(each.__code__, self.place.key) for each in reads.functions)

    def require_former(self, name: str) -> None:
        """Raise StagingError unless the graph serves what the place holds now.

        `name` is the function's.
        """
        if self.before is None:
            return
        now = held_in(self.place)
        before = self.before
        if not (before.can_read if isinstance(before, FormOf) else before.matches)(now):
            raise StagingError(
                f"`{self.place.label}` has changed since this graph of {name} was recorded, which "
                f"goes on with the former value: {before} -> {forms.describe(form_before(now))}.",
                remedy=f"Call {name} itself, which records another graph, or keep the value in a "
                "tf.Variable.",
                public=ValueError,
            )


def read_into(graph: Graph, place: Place, form: Form) -> None:
    """Store the tensors with which a graph reads a place in the place."""
    outputs = graph.record(READ, (), {"place": place, "form": form})
    place.write(*layouts.results([form], outputs))


def write_from(graph: Graph, place: Place, form: Form, value: object) -> None:
    """Make a graph write a value to a place when it runs.

    Raises: StagingError for an array of a NumPy program.
    """
    numpy = STATE.symbolic is not None
    if numpy and any(spec.dims != () for spec, _ in layouts.specs(form)):
        raise StagingError(
            f"a NumPy program leaves an array in `{place.label}`, where another name could have "
            "it, too.",
            remedy="Return the array, change one that is there, or append it to a list that the "
            "program does not read.",
            public=ValueError,
        )
    attrs = {"place": place, "form": form, "numpy": numpy}
    graph.record(WRITE, layouts.tensors(form, value), attrs)


PLAIN = frozenset({int, float, complex, bool, str, type(None)})
"""Classes of constants that a graph writes; it would write bytes as text."""


class Tracker(ABC):
    """The places outside of a trace, as the trace sees them.

    Attributes:
      values: the traced function and its arguments, by name.
      reach: what they reach, before the trace.
      arrays: the large arrays among that.
    """

    values: dict[str, Any]
    reach: Reach
    arrays: WatchedArrays

    @abstractmethod
    def track(self, places: Iterable[Written]) -> None:
        """Track the places that a recorded call writes and only the called graph reaches."""

    @abstractmethod
    def replace_arrays(
        self, places: Sequence[Place], traced: Callable[[Tensor], Any]
    ) -> list[Watch]:
        """Store traced arrays in place of arrays that the function reaches until its trace ends.

        Args:
          places: where the arrays are. Others that share memory with these are replaced, too.
          traced: returns the traced array for the tensor through which the graph reads the array.
        """

    @abstractmethod
    def read_arrays(self) -> list[Place]:
        """Return the places of the arrays that the code of the function mentions."""

    @abstractmethod
    def changes(self) -> Iterable[tuple[Place, Any]]:
        """Return the changed places with their values before the trace."""

    @abstractmethod
    def end_of(self, place: Place, before: Any) -> tuple[Place, Any] | None:
        """Return the end of a list and what the function appends, if it does nothing else with it.

        Args:
          place: a changed place.
          before: its value before the trace.
        """

    @abstractmethod
    def is_old(self, value: object) -> bool:
        """Return whether a list, dict or object existed before the call."""

    @abstractmethod
    def note_inner(self, changed: frozenset[Any]) -> None:
        """Take over the identities of places whose change a trace within this one has reported."""


class _Running(threading.local):
    """The traces of this thread, the outermost first."""

    def __init__(self) -> None:
        self.traces: list[Tracker] = []


RUNNING = _Running()


def write_pending(graph: Graph, places: Sequence[Written]) -> None:
    """Make a graph write the places that a callee reads or writes, before the call."""
    if places and RUNNING.traces:
        RUNNING.traces[-1].track(places)
    for place, _, _ in places:
        value = held_in(place)
        if is_of_graph(value):
            write_from(graph, place, form_before(value), value)


def read_results(graph: Graph, places: Iterable[Written]) -> None:
    """Store what the places that a callee wrote hold: tensors of the trace, or constants."""
    for place, form, _ in places:
        if layouts.specs(form):
            read_into(graph, place, form)
        elif isinstance(form, Fixed) and type(form.value) in PLAIN:
            place.write(form.value)


def is_of_graph(value: object) -> bool:
    """Return whether a value holds symbolic tensors, or items known only at run time."""
    kinds = (
        SymbolicTensor, PartialDict, GrowingList, PossiblyUndefined, Conflict, Moved, Alternatives,
        TruthOnly,
    )  # fmt: skip
    if hasattr(type(value), "__autograph_carried__"):
        return True  # a view of an array has no parts of its own
    return any(issubclass(type(leaf), kinds) for leaf in leaves_of(value))


def leaves_of(value: object) -> list[Any]:
    """Return the leaves of a structure."""
    # Walking over a conflict raises an error.
    return [value] if type(value) is Conflict else flatten(value)[0]


def held_in(place: Place) -> Any:
    """Return the value of a place during the trace; `Undefined` if it has none."""
    if isinstance(place, Contents) and place.stand_in is not MISSING:
        return place.stand_in
    value = place.read()
    return Undefined(place.label) if value is MISSING else resolve(value)
