"""The state of a staged statement: save, restore and assign what its blocks change.

A trace runs every block, also one that Python would not run. Before each block, the variables and
all objects reachable from the block are restored.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import CodeType, FunctionType
from typing import Any

from autograph.errors import StagingError, Unwinding, named_file
from autograph.operators.aliases import (
    Path,
    after_change,
    alternatives_of,
    before_change,
    check_choices,
    keys_of,
    link,
    may_be,
    may_hold_items_of,
    refuse_change,
    refuse_uses,
    structures_at,
    structures_in,
)
from autograph.operators.carrying import Carrying, require_quiet_keys
from autograph.operators.computed import note_computed
from autograph.operators.frames import user_line
from autograph.operators.moved import Parted, parted_in, resolve
from autograph.operators.stand_ins import Ref, Twin, has_identity
from autograph.operators.variables import (
    RETURN_VALUE,
    Conflict,
    GetState,
    SetState,
    Undefined,
    assign_variables,
    conflict_error,
    holds_result,
    is_generated,
    read_variables,
    readable,
)
from autograph.reach.classes import attributes_of, is_plain_object, program_class
from autograph.reach.places import MISSING, Carried, Contents, Place, own_attribute
from autograph.reach.walk import Reach
from autograph.staging import (
    ATOMS,
    Choices,
    OptionalName,
    ProgramName,
    StagingLibrary,
    is_one_of,
    optional,
    trace,
)
from autograph.values import Value

Slot = tuple[int, Path]
"""A structure in the entries: the position of the entry, and the path in it."""

RESULT = -1
"""The position of the result of a branch."""


class Retrace(Unwinding):
    """Aborts the trace of a statement, because a block changed a place outside of the state.

    Args:
      places: the changed places, to be added to the state.
      by_value: entries that were rebound to another object.
    """

    def __init__(self, places: Iterable[Place] = (), by_value: Iterable[int] = ()) -> None:
        super().__init__()
        self.places = list(places)
        self.by_value = set(by_value)


class Found:
    """What the traces of a statement found; kept while the enclosing statement is traced again.

    Without it, each trace of the enclosing statement would find everything again, and the number
    of traces would double with every level of nesting.

    Attributes:
      places: the places that its blocks changed.
      rebound: the keys of the entries that its blocks rebound to another object.
    """

    def __init__(self, places: list[Place]) -> None:
        self.places = places
        self.rebound: frozenset[Any] = frozenset()
        self._inner: dict[Any, Found] = {}
        self._block: object = None
        self._counts: Counter[CodeType | None] = Counter()

    def begin(self, block: object) -> None:
        """Start the trace of a block."""
        self._block = block
        self._counts.clear()

    def next(self, code: CodeType | None) -> Found:
        """Return what was found about the next statement in the block, which has this code."""
        self._counts[code] += 1
        key = self._block, code, self._counts[code]
        if key not in self._inner:
            self._inner[key] = Found(trace.changed_places.get(code, []))
        return self._inner[key]


class State:
    """The variables and other places that one staged statement changes.

    The text determines the variables. Other places are found when the trace of a block changes
    them, for instance an attribute that a method assigns. Then `read` raises `Retrace`, and the
    statement is traced again with these places in its state.

    An entry that refers to the same list or object throughout is carried as a reference; changes
    inside the object are places of their own. An entry that is rebound is carried by value.

    Args:
      get_state, set_state, names: read, assign and name the variables.
      functions: the blocks.
      values: further values that the blocks get, by name.

    Attributes:
      reach: the objects reachable from the blocks.
      outer_reach: the reach of the enclosing statement.
      found: what its traces found.
      outer_found: what the traces of the enclosing statement found, or None.
    """

    def __init__(
        self,
        get_state: GetState | None,
        set_state: SetState | None,
        names: tuple[str, ...],
        functions: Iterable[Callable[..., Any] | None],
        values: Mapping[str, Any] | None = None,
    ) -> None:
        names = tuple(map(_program_name, names))
        self._variables = names
        self._get = get_state
        self._set = set_state
        variables = self._values()
        named = {**dict(zip(names, variables, strict=True)), **(values or {})}
        blocks = list(functions)
        self.reach = Reach(blocks, named, _variables_of(get_state, names), trace.reach)
        self.code = next((each.__code__ for each in blocks if type(each) is FunctionType), None)
        self.outer_found = trace.found
        outer = Found([]) if self.outer_found is None else self.outer_found
        self.found = outer.next(self.code)
        found = map(self.reach.own_place, self.found.places)
        self._places: list[Place] = [place for place in found if place is not None]
        self._before: list[Any] = [*variables, *map(_value_of, self._places)]
        self._by_value = {
            position for position, key in enumerate(self._entry_keys()) if key in self.found.rebound
        }
        self._origins: dict[Slot, dict[int, Any]] = {}
        self._pairs: set[tuple[Slot, Slot]] = set()
        self._parted: dict[int, tuple[Any, Parted]] = {}
        self._keys: dict[Any, set[Any]] = {}
        self._outer = trace.choices
        self.outer_reach = trace.reach
        self._carrying = Carrying(self.reach, self._places, self._outer)
        self._reports_leaks = False
        self._returns_once = False

    def _entry_keys(self) -> list[Any]:
        """Return what identifies each entry in another trace of the statement."""
        return [*self._variables, *(place.identity for place in self._places)]

    @property
    def names(self) -> tuple[str, ...]:
        """Return the user's names: of the variables, then of the other places."""
        return (*self._variables, *(ProgramName(place.label) for place in self._places))

    @property
    def places(self) -> list[Place]:
        """Return the places besides the variables."""
        return list(self._places)

    @property
    def init(self) -> tuple[Any, ...]:
        """Return the entries before the statement."""
        self._carrying.grown.clear()
        return self._outward(self._before, self._live(None))

    def outputs(self, entries: tuple[Any, ...], variables: int | None) -> tuple[Any, ...]:
        """Drop the entries of dead variables: those from number `variables` on."""
        if variables is None:
            return entries
        return (*entries[:variables], *entries[len(self._variables) :])

    def entries(self, outputs: tuple[Any, ...], variables: int | None) -> tuple[Any, ...]:
        """Invert `outputs`: dead variables get their values before the statement."""
        if variables is None:
            return outputs
        ending = self._before[variables : len(self._variables)]
        return (*outputs[:variables], *ending, *outputs[variables:])

    def _values(self) -> tuple[Any, ...]:
        return () if self._get is None else read_variables(self._get)

    def begin(self, values: tuple[Any, ...] | None = None, block: object = None) -> None:
        """Start a block.

        Args:
          values: the entries of a loop. None: the entries before the statement.
          block: which one of several it is.
        """
        self.found.begin(block)
        trace.choices = Choices(self._outer)
        if values is None:
            self.restore()
            return
        self._note_aliases(dict(enumerate(self._before)))
        if self._returns_once:
            pairs = zip(values, self._before, strict=True)
            values = tuple(old if is_generated(old) else value for value, old in pairs)
        entries = dict(enumerate(self.write(values)))
        self._part_again()
        self._link(entries)

    def read(
        self, count: int | None = None, result: object = None, repeats: bool = False
    ) -> tuple[Any, ...]:
        """Return the entries at the end of a block.

        Args:
          count: number of variables that are live after the statement. None: all.
          result: the result of the block.
          repeats: whether the block may run again.

        Raises:
          Retrace: if the block changed a place outside of the state.
        """
        check_choices()
        self._carrying.grown.clear()
        owners = _owners(self._places)
        values = [owners.get(id(value), value) for value in self._values()]
        held = [owners.get(id(value), value) for value in map(_value_of, self._places)]
        if owners:
            # The stand-in of a list has its own entry; containers of the list keep the list.
            first = len(self._variables)
            held = [
                _mapped(value, lambda each: owners.get(id(each), each))
                if self._is_contents(first + number)
                else value
                for number, value in enumerate(held)
            ]
        for place, items in zip(self._places, held, strict=True):
            if isinstance(place, Contents):
                self._keys.setdefault(place.identity, set()).update(keys_of(items))
                if place.stand_in is not MISSING:
                    self._carrying.grown[id(place.owner)] = items
                place.take_back()
        known = {place.identity for place in self._places}
        changed = self.reach.changed()
        for place in changed:
            if isinstance(place, Contents):
                require_quiet_keys(place.owner, place.label)
        is_parted = self._note_parted(changed, known)
        found = [
            place
            for place in changed
            if place.identity not in known and parted_in(place.owner) is None
        ]
        values += held
        live = self._live(count)
        owners = _owners((*self._places, *found))
        named = [owners.get(id(value), value) for value in values]
        anew = [position for position in live if self._is_anew(position, named[position])]
        if found or anew:
            self.leave()
            raise Retrace(found, anew)
        ends = {position: values[position] for position in live}
        if (self._note_aliases({**ends, RESULT: result}) or is_parted) and repeats:
            self.leave()
            raise Retrace
        if repeats:
            names = self.names
            for position, value in ends.items():
                self._check_made(names[position], value)
        return self._outward(values, live)

    def _check_made(self, name: str, value: Value) -> None:
        """Raise if an iteration leaves a new object with a list, dict or object in an attribute, or
        one of several objects or None of which some are new.
        """
        for each in alternatives_of(value):
            if is_one_of(value) and not all(map(self._carrying.is_old, _objects_of(each))):
                raise _chosen_anew(name, type(_objects_of(each)[0]))
            if not _is_plain(each) or self._carrying.is_old(each):
                continue
            for attribute in attributes_of(each):
                held = own_attribute(each, attribute)
                if has_identity(held) and not self._carrying.is_old(held):
                    raise _made_anew(name, type(each), attribute, held)

    def _note_parted(self, changed: Iterable[Place], known: set[Any]) -> bool:
        """Record the lists and dicts poisoned in this block; return whether some are new.

        Args:
          changed: the changed places.
          known: the identities of the places that are entries.

        Raises:
          StagingError: if unconverted code changed a list or dict with a possible alias, which may
            have been read since.
        """
        count = len(self._parted)
        for place in changed:
            if isinstance(place, (Contents, Carried)):
                parted = parted_in(place.owner)
                if parted is None:
                    refuse_change(place.owner)
                elif place.identity not in known:
                    self._parted[id(place.owner)] = (place.owner, parted)
        return len(self._parted) > count

    def _part_again(self) -> None:
        for owner, parted in self._parted.values():
            refuse_uses(owner, parted)

    def _note_aliases(self, ends: dict[int, Any]) -> bool:
        """Record the possible aliases of structures in the entries; return whether some are new.

        Args:
          ends: the entries at the end of a block, by position.
        """
        before = self._count_of_aliases()
        found: list[tuple[Slot, Any]] = []
        for position, value in ends.items():
            if position == RESULT or not self._is_kept(position, value):
                for path, each in structures_in(value, is_part=_is_plain):
                    if path or not self._is_contents(position):
                        found.append(((position, path), each))
        slots: dict[int, list[Slot]] = {}
        for slot, value in found:
            slots.setdefault(id(value), []).append(slot)
        for slot, value in found:
            known = (value, *may_be(value), *may_hold_items_of(value))
            origins = self._origins.setdefault(slot, {})
            origins.update({id(each): each for each in known if self._carrying.is_old(each)})
            others = [other for each in known for other in slots.get(id(each), ())]
            self._pairs.update((slot, other) for other in others if other != slot)
        return self._count_of_aliases() != before

    def _count_of_aliases(self) -> int:
        return len(self._pairs) + sum(map(len, self._origins.values()))

    def _is_kept(self, position: int, value: object) -> bool:
        """Return whether an entry was not rebound, and is carried as a reference."""
        if position in self._by_value or self._is_contents(position):
            return False
        return value is self._before[position]

    def _link(self, entries: dict[int, Any]) -> None:
        """Record the possible aliases of structures in the assigned entries."""
        slots = {*self._origins, *(slot for pair in self._pairs for slot in pair)}
        found = {
            (position, path): structures_at(entries[position], path, _is_plain)
            for position, path in slots
            if position in entries
        }
        for slot, values in found.items():
            self._link_all(slot, values, self._origins.get(slot, {}).values())
        for one, other in self._pairs:
            self._link_all(one, found.get(one, ()), found.get(other, ()))

    def _link_all(self, slot: Slot, values: Iterable[object], others: Iterable[object]) -> None:
        code = self.code
        place = (
            f"{named_file(code.co_filename)}, line {code.co_firstlineno}" if code else user_line()
        )
        position = slot[0]
        returned = position == RESULT or holds_result(self.names[position])
        label = RETURN_VALUE if returned else self.names[position]
        held = list(values)
        for one, other in itertools.product(held, others):
            # An object among them is carried by reference, so no other of them can be it; a list
            # may have given its items away.
            if not (_is_plain(other) and any(each is other for each in held)):
                link(one, other, label, place)

    def _live(self, count: int | None) -> list[int]:
        """Return the positions of the entries that the statement outputs."""
        variables = len(self._variables)
        first = range(variables if count is None else count)
        return [*first, *range(variables, variables + len(self._places))]

    def _is_anew(self, position: int, value: object) -> bool:
        """Return whether an entry, or an item of one, was rebound to another object."""
        if position in self._by_value:
            return False
        before = self._before[position]
        if not self._is_contents(position):
            return value is not before and self._carrying.is_known(before)
        kept = _parts_of(value)
        return any(
            key in kept and kept[key] is not item and self._carrying.is_known(item)
            for key, item in _parts_of(before).items()
        )

    def _is_contents(self, position: int) -> bool:
        """Return whether an entry is the contents of a list or dict, not a variable."""
        place = position - len(self._variables)
        return place >= 0 and isinstance(self._places[place], (Contents, Carried))

    def _outward(self, values: Sequence[Any], live: Iterable[int]) -> tuple[Any, ...]:
        """Return the entries in the form that a library carries."""
        carrying = self._carrying
        result = list(values)
        seen: dict[int, int] = {}
        for position in live:
            value = result[position] = carrying.selected(values[position])
            if position in self._by_value:
                if self._is_contents(position):
                    result[position] = _mapped(value, carrying.reference)
            elif self._is_contents(position):
                result[position] = _mapped(value, carrying.kept)
            elif value is self._before[position]:
                result[position] = carrying.kept(value)
            if result[position] is value:
                result[position] = carrying.reference(value)
            if is_one_of(value):
                alternatives = map(carrying.existing, value.__autograph_values__)
                result[position] = value.__autograph_with__(alternatives)
            if result[position] is value and has_identity(value):
                first = seen.setdefault(id(value), position)
                if first != position:
                    result[position] = carrying.twin(first, value)
        # Copied: another block will change the lists and dicts before the library reads them.
        return tuple(map(carrying.copied, result))

    def result(self, value: object) -> Any:
        """Return the result of a branch as it is at the end of the branch."""
        carrying = self._carrying
        selected = carrying.selected(value)
        if is_one_of(selected):
            return selected.__autograph_with__(
                map(carrying.existing, selected.__autograph_values__)
            )
        return carrying.copied(carrying.existing(selected))

    def for_library(self, library: StagingLibrary) -> None:
        """Record what the library can do, and whether it reports leaks."""
        self._carrying.chooses = optional(library, "chooses_objects", False)
        self._reports_leaks = optional(library, "reports_leaks", False)
        self._returns_once = optional(library, "returns_once", False)

    def rebind_tuples(self, before: Sequence[Value], now: Sequence[Value]) -> None:
        """Record the variables that an iteration has bound to another tuple."""
        pairs = enumerate(zip(before, now, strict=True))
        self._by_value |= {
            position
            for position, (one, other) in pairs
            if one is not other and issubclass(type(other), tuple)
        }

    def extend(self, found: Retrace) -> None:
        """Add the places that a block changed to the state, with their initial values."""
        self.restore()
        self._by_value |= found.by_value
        self._places += found.places
        self._before += map(_value_of, found.places)
        lasting = [place for place in self._places if self._outlives_block(place)]
        if self.code is not None:
            trace.changed_places[self.code] = lasting
        keys = self._entry_keys()
        self.found.places = lasting
        self.found.rebound = frozenset(keys[position] for position in self._by_value)

    def _outlives_block(self, place: Place) -> bool:
        """Return whether a place may be kept when the enclosing block's trace ends.

        A library that reports leaks takes an object made in that block for one if it is kept.
        """
        if self.outer_reach is None or not self._reports_leaks:
            return True
        return self.outer_reach.own_place(place) is not None

    def can_be_undone(self) -> bool:
        """Return whether `restore` undoes every change of the blocks."""
        return not self.reach.holds_iterators()

    def restore(self) -> None:
        """Restore all places to their initial values."""
        self.reach.restore()
        if self._set is not None:
            assign_variables(self._set, tuple(self._before[: len(self._variables)]))

    def leave(self) -> None:
        """End a block: nothing that outlives its trace keeps values of it."""
        self.restore()
        trace.choices = Choices(self._outer)

    def write(self, values: tuple[Any, ...]) -> list[Any]:
        """Assign the entries from a library; return the assigned values."""
        plain: list[Any] = []
        for position, value in enumerate(values):
            if type(value) is Twin:
                value = plain[value.position]
            elif self._is_contents(position):
                value = _mapped(value, _named)
            plain.append(_named(value))
        count = len(self._variables)
        if self._set is not None:
            assign_variables(self._set, tuple(plain[:count]))
        # Last, because a stand-in replaces its list in places written before.
        for place, value in sorted(
            zip(self._places, plain[count:], strict=True),
            key=lambda each: isinstance(each[0], Contents),
        ):
            if isinstance(place, (Contents, Carried)):
                self._refill(place, value)
            else:
                held = MISSING if type(value) is Undefined else readable(value, place.label)
                place.write(held)
        self._rename_moved()
        return plain

    def _refill(self, place: Contents | Carried, value: object) -> None:
        """Store the final items of a list or dict in it."""
        if type(value) is Conflict:
            if isinstance(place, Contents):
                place.take_back()
            keys = self._keys.get(place.identity, ())
            error = partial(conflict_error, value)
            refuse_uses(place.owner, Parted(place.label, error, keys))
            return
        if isinstance(place, Contents) and place.is_replaced_by(value):
            for holder in self.reach.holders(place.owner):  # each will hold the stand-in
                require_quiet_keys(holder.owner, holder.label)
        place.write(value)

    def finish(self, values: tuple[Any, ...], result: object = None) -> Any:
        """Assign the entries after the statement, and undo all other changes.

        Args:
          values: the entries, from a library.
          result: the result of the block, from a library.

        Returns:
          The result.
        """
        self.restore()
        note_computed()
        result = _named(result)
        entries = dict(enumerate(self.write(values)))
        self._note_changes()
        self._part_again()
        self._link({**entries, RESULT: result})
        return result

    def further_places(self) -> list[Place]:
        """Return the changed places that are not part of the state."""
        known = {place.identity for place in self._places}
        return [place for place in self.reach.changed() if place.identity not in known]

    def passed(self) -> tuple[Any, ...]:
        """Return the entries of the places for a call that reads and changes them."""
        return self._outward([*map(_value_of, self._places)], range(len(self._places)))

    def assign(self, values: tuple[Any, ...]) -> None:
        """Assign the entries of the places after such a call."""
        self.write(values)
        self._note_changes()

    def _note_changes(self) -> None:
        for place in self._places:
            trace.lines[place.identity] = user_line()
            if isinstance(place, (Contents, Carried)) and parted_in(place.owner) is None:
                before_change(place.owner)
                after_change(resolve(place.owner))

    def _rename_moved(self) -> None:
        """Rebind variables and places from moved lists to their stand-ins."""
        stand_ins: dict[int, Any] = {}
        for place in self._places:
            if isinstance(place, Contents) and place.stand_in is not MISSING:
                place.rename()
                stand_ins[id(place.owner)] = place.stand_in
        if not stand_ins:
            return
        if self._set is not None:
            values = self._values()
            if any(id(value) in stand_ins for value in values):
                assign_variables(self._set, tuple(stand_ins.get(id(v), v) for v in values))
        for place in self._places:
            held = MISSING if isinstance(place, (Contents, Carried)) else place.read()
            if id(held) in stand_ins:
                place.write(stand_ins[id(held)])


def _owners(places: Sequence[Place]) -> dict[int, Any]:
    """Return the lists and dicts that stand-ins replace, by id of the stand-in."""
    replaced = [
        place
        for place in reversed(places)
        # A nested statement has other places for the same list.
        if isinstance(place, Contents) and place.stand_in is not MISSING
    ]
    return {id(place.stand_in): place.owner for place in replaced}


def _named(value: object) -> Any:
    return value.value if type(value) is Ref else value


def _mapped(value: Value, function: Callable[[Any], Any]) -> Any:
    """Apply a function to each item of a plain list or dict; return any other value unchanged."""
    if type(value) is list:
        return [item if type(item) in ATOMS else function(item) for item in value]
    if type(value) is dict:
        return {key: function(item) for key, item in value.items()}
    if hasattr(type(value), "__autograph_carried__"):
        return value.mapped(function)
    return value


def _parts_of(items: Any) -> dict[Any, Any]:
    """Return the items of a list or dict, or of its stand-in, by index or key."""
    if type(items) is list:
        return dict(enumerate(items))
    if type(items) is dict:
        return items
    return items.parts() if hasattr(type(items), "__autograph_carried__") else {}


def _is_plain(value: object) -> bool:
    return is_plain_object(type(value))


def _made_anew(name: str, made: type, attribute: str, held: object) -> StagingError:
    kind, other = program_class(made).__name__, type(held).__name__
    before = f"create the {kind} before the loop and assign its attributes in it"
    remedy = f"C{before[1:]}, or hold the {other} outside of it."
    if type(held) in (list, dict):
        remedy = f"Make {kind} a dataclass, of which a graph carries that, too, or {before}."
    return StagingError(
        f"an iteration of a staged loop leaves a new {kind} in `{name}`, and `{kind}.{attribute}` "
        f"is a {other}: of a new object a graph carries tensors, numbers, and tuples of these.",
        remedy=remedy,
        public=TypeError,
    )


def _objects_of(value: Value) -> tuple[Any, ...]:
    """Return the objects that a reference may select; none for other values."""
    return alternatives_of(value) if hasattr(type(value), "__autograph_refers__") else ()


def _chosen_anew(name: str, made: type) -> StagingError:
    kind = program_class(made).__name__
    return StagingError(
        f"an iteration of a staged loop leaves a new {kind} in `{name}`, or another object, as a "
        "tensor decides: each iteration makes one more, and a graph chooses among objects that are "
        "known before it runs.",
        remedy=f"Create each {kind} before the loop, or keep the attributes in lists, one for each "
        "attribute, and the index of an item in place of an object.",
        public=TypeError,
    )


def _program_name(name: str) -> ProgramName:
    """Return the name of a variable; a trailing question mark marks one that is tested for None."""
    return OptionalName(name[:-1]) if name[-1] == "?" else ProgramName(name)


def _value_of(place: Place) -> Any:
    value = place.read()
    return Undefined(place.label) if value is MISSING else value


def _variables_of(get_state: GetState | None, names: tuple[str, ...]) -> frozenset[Any]:
    """Return the variables of a statement, in the form of the parameter `besides` of `Reach`."""
    if get_state is None:
        return frozenset()
    function: Any = get_state
    shared = {id(cell) for cell in function.__closure__ or ()}
    return frozenset(shared) | {(id(function.__globals__), name) for name in names}
