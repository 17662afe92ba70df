"""The state of a staged statement: save, restore and assign what its blocks change.

A trace runs every block, also one that Python would not run. Before each block, the variables and
all objects reachable from the block are restored.
"""

from __future__ import annotations

import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from operator import is_
from types import CodeType, FunctionType, TracebackType
from typing import Any

from autograph.errors import StagingError
from autograph.operators.aliases import (
    Path,
    after_change,
    before_change,
    check_choices,
    keys_of,
    link,
    may_be,
    refuse_change,
    refuse_uses,
    structure_at,
    structures_in,
)
from autograph.operators.computed import note_computed
from autograph.operators.frames import user_line
from autograph.operators.moved import Parted, parted_in, resolve
from autograph.operators.results import settled
from autograph.operators.variables import (
    RETURN_VALUE,
    Conflict,
    GetState,
    SetState,
    Undefined,
    assign_variables,
    conflict_error,
    read_variables,
    readable,
)
from autograph.reach.classes import attributes_of, holds_attributes, is_plain_object, object_with
from autograph.reach.places import MISSING, Carried, Contents, Place, own_attribute
from autograph.reach.walk import Reach
from autograph.staging import (
    CannotRoll,
    Choices,
    OptionalName,
    ProgramName,
    StagingLibrary,
    is_one_of,
    optional,
    staged_block,
    takes_part,
    trace,
)
from autograph.steps import Steps, run
from autograph.values import Value


class StandIn:
    """The value that a library carries in place of an object.

    Args:
      items: a copy of the object at the end of the block, for a library whose other block outputs
        a new object. None: there is no such block.
    """

    __slots__ = ("items",)

    def __init__(self, items: object) -> None:
        self.items = items

    def is_same(self, other: object) -> bool:
        """Return whether two stand-ins replace the same object."""
        raise NotImplementedError


class Ref(StandIn):
    """The stand-in of an object that existed before the statement."""

    __slots__ = ("value",)

    def __init__(self, value: object, items: object = None) -> None:
        super().__init__(items)
        self.value = value

    def is_same(self, other: object) -> bool:
        """Return whether `other` refers to the same object."""
        return type(other) is Ref and self.value is other.value

    def __repr__(self) -> str:
        return repr(self.value)


class Twin(StandIn):
    """The stand-in of an object that an earlier entry carries."""

    __slots__ = ("position",)

    def __init__(self, position: int, items: object = None) -> None:
        super().__init__(items)
        self.position = position

    def is_same(self, other: object) -> bool:
        """Return whether `other` refers to the same entry."""
        return type(other) is Twin and self.position == other.position

    def __repr__(self) -> str:
        return repr(self.items)


Slot = tuple[int, Path]
"""A structure in the entries: the position of the entry, and the path in it."""

RESULT = -1
"""The position of the result of a branch."""


class Retrace(BaseException):
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
    ) -> None:
        names = tuple(map(_program_name, names))
        self._variables = names
        self._get = get_state
        self._set = set_state
        variables = self._values()
        named = dict(zip(names, variables, strict=True))
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
        self._held_elsewhere: dict[int, Any] = {}
        self._outer = trace.choices
        self.outer_reach = trace.reach
        self._refs: dict[int, Ref] = {}
        self._chooses = False
        self._twins: dict[int, Twin] = {}

    def _entry_keys(self) -> list[Any]:
        """Return what identifies each entry in another trace of the statement."""
        return [*self._variables, *(place.identity for place in self._places)]

    @property
    def names(self) -> tuple[str, ...]:
        """Return the user's names: of the variables, then of the other places."""
        return (*self._variables, *(ProgramName(place.label) for place in self._places))

    @property
    def init(self) -> tuple[Any, ...]:
        """Return the entries before the statement."""
        self._held_elsewhere.clear()
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
        self._held_elsewhere.clear()
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
                    self._held_elsewhere[id(place.owner)] = items
                place.take_back()
        known = {place.identity for place in self._places}
        changed = self.reach.changed()
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
            raise Retrace(found, anew)
        ends = {position: values[position] for position in live}
        if (self._note_aliases({**ends, RESULT: result}) or is_parted) and repeats:
            raise Retrace
        return self._outward(values, live)

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
        found: dict[Slot, Any] = {}
        for position, value in ends.items():
            if position == RESULT or not self._is_kept(position, value):
                for path, each in structures_in(value, is_part=_is_plain):
                    if path or not self._is_contents(position):
                        found[position, path] = each
        slots: dict[int, list[Slot]] = {}
        for slot, value in found.items():
            slots.setdefault(id(value), []).append(slot)
        for slot, value in found.items():
            known = (value, *may_be(value))
            origins = self._origins.setdefault(slot, {})
            origins.update({id(each): each for each in known if self._is_old(each)})
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

    def _is_old(self, value: object) -> bool:
        """Return whether an object existed before the statement."""
        return self.reach.holds(value) or self._outer.knows(value)

    def _link(self, entries: dict[int, Any]) -> None:
        """Record the possible aliases of structures in the assigned entries."""
        slots = {*self._origins, *(slot for pair in self._pairs for slot in pair)}
        found = {
            (position, path): structure_at(entries[position], path, _is_plain)
            for position, path in slots
            if position in entries
        }
        for slot, value in found.items():
            for each in self._origins.get(slot, {}).values():
                self._link_pair(slot, value, each)
        for one, other in self._pairs:
            self._link_pair(one, found.get(one), found.get(other))

    def _link_pair(self, slot: Slot, one: object, other: object) -> None:
        if one is None or other is None:
            return
        code = self.code
        place = "" if code is None else f'File "{code.co_filename}", line {code.co_firstlineno}'
        position = slot[0]
        label = RETURN_VALUE if position == RESULT else self.names[position]
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
            return value is not before and self._is_known(before)
        kept = _parts_of(value)
        return any(
            key in kept and kept[key] is not item and self._is_known(item)
            for key, item in _parts_of(before).items()
        )

    def _is_contents(self, position: int) -> bool:
        """Return whether an entry is the contents of a list or dict, not a variable."""
        place = position - len(self._variables)
        return place >= 0 and isinstance(self._places[place], (Contents, Carried))

    def _is_known(self, value: object) -> bool:
        """Return whether an object existed before the statement and is mutable in it."""
        return has_identity(value) and self.reach.holds(value)

    def _outward(self, values: Sequence[Any], live: Iterable[int]) -> tuple[Any, ...]:
        """Return the entries in the form that a library carries."""
        result = list(values)
        seen: dict[int, int] = {}
        for position in live:
            value = values[position]
            if position in self._by_value:
                if self._is_contents(position):
                    result[position] = _mapped(value, self.reference)
            elif self._is_contents(position):
                result[position] = _mapped(value, self._kept)
            elif value is self._before[position]:
                result[position] = self._kept(value)
            if result[position] is value:
                result[position] = self.reference(value)
            if is_one_of(value):
                alternatives = map(self.reference, value.__autograph_values__)
                result[position] = value.__autograph_with__(alternatives)
            if result[position] is value and has_identity(value):
                first = seen.setdefault(id(value), position)
                if first != position:
                    result[position] = self._twin(first, value)
        # Copied: another block will change the lists and dicts before the library reads them.
        return tuple(map(self._copied, result))

    def _twin(self, first: int, value: object) -> Twin:
        if self._chooses:
            return Twin(first, self._copied(value))
        return self._twins.setdefault(first, Twin(first))

    def _copied(self, value: Value) -> Any:
        """Copy the lists and dicts in a structure, except poisoned ones."""
        kind = type(value)
        if kind is list or kind is tuple:
            parted = parted_in(value) if self._chooses else None
            if parted is not None:
                return Conflict(parted.error)
            items = [self._copied(item) for item in value]
            return value if kind is tuple and all(map(is_, items, value)) else kind(items)
        if kind is dict:
            parted = parted_in(value) if self._chooses else None
            if parted is not None:
                return Conflict(parted.error)
            return {key: self._copied(item) for key, item in value.items()}
        if hasattr(kind, "__autograph_carried__"):
            parted = value.parted if self._chooses else None
            return value.mapped(self._copied) if parted is None else Conflict(parted.error)
        return value

    def reference(self, value: Value) -> Any:
        """Return a reference to an object, if the library can choose among objects.

        A list or object that only entries of this statement refer to is carried by value.
        """
        if not self._chooses or not self._is_known(value) or issubclass(type(value), tuple):
            return value
        own = {place.identity for place in self._places}
        others = [each for each in self.reach.holders(value) if each.identity not in own]
        if is_plain_object(type(value)):
            return Ref(value, _snapshot(value))
        items = self._held_elsewhere.get(id(value))
        if items is not None:
            return Ref(value, items) if others else items
        if not others:
            return value
        if hasattr(type(value), "__autograph_carried__"):
            return Ref(value, value.mapped(self._copied))
        return Ref(value, self._copied(value) if type(value) in (list, dict) else None)

    def for_library(self, library: StagingLibrary) -> None:
        """Record whether the library can choose among objects."""
        self._chooses = optional(library, "chooses_objects", False)

    def _kept(self, value: object) -> Any:
        if not self._is_known(value):
            return value
        return self._refs.setdefault(id(value), Ref(value))

    def extend(self, found: Retrace) -> None:
        """Add the places that a block changed to the state, with their initial values."""
        self.restore()
        self._by_value |= found.by_value
        self._places += found.places
        self._before += map(_value_of, found.places)
        if self.code is not None:
            trace.changed_places[self.code] = list(self._places)
        keys = self._entry_keys()
        self.found.places = list(self._places)
        self.found.rebound = frozenset(keys[position] for position in self._by_value)

    def can_be_undone(self) -> bool:
        """Return whether `restore` undoes every change of the blocks."""
        return not self.reach.holds_iterators()

    def restore(self) -> None:
        """Restore all places to their initial values."""
        self.reach.restore()
        if self._set is not None:
            assign_variables(self._set, tuple(self._before[: len(self._variables)]))

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
        for place in self._places:
            if isinstance(place, Contents) and place.stand_in is not MISSING:
                self._rename(place)
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
        for place in self._places:
            trace.lines[place.identity] = user_line()
            if isinstance(place, (Contents, Carried)) and parted_in(place.owner) is None:
                before_change(place.owner)
                after_change(resolve(place.owner))
        self._part_again()
        self._link({**entries, RESULT: result})
        return result

    def _rename(self, place: Contents) -> None:
        """Rebind the variables and places that refer to a list to its stand-in."""
        place.rename()
        if self._set is not None:
            values = self._values()
            if any(value is place.owner for value in values):
                renamed = (place.stand_in if v is place.owner else v for v in values)
                assign_variables(self._set, tuple(renamed))
        for other in self._places:
            if other.read() is place.owner:
                other.write(place.stand_in)


MOST_NESTED = 100
"""Maximum nesting depth of staged statements of one function, for libraries that do not detect
recursion: each level costs some milliseconds."""

_DEEP = 32
"""Nesting depth from which a lack of stack is due to staged statements: each takes 8 frames, and
CPython 3.12 limits nested calls of C whatever the recursion limit."""


class Attempt:
    """A context manager that stages a statement again as long as its state grows.

        attempt = Attempt(library, state)
        while attempt.goes_on:
            with attempt:
                outputs = library.cond(...)

    It takes no stack frame, so that statements can be nested deeply.
    """

    __slots__ = ("_block", "_library", "_state", "goes_on")

    def __init__(self, library: StagingLibrary, state: State) -> None:
        state.for_library(library)
        self._library = library
        self._state = state
        self._block = staged_block(library)
        self.goes_on = True

    def __enter__(self) -> None:
        code = self._state.code
        notices = optional(self._library, "notices_recursion", False)
        if trace.nested[code] >= MOST_NESTED and not notices:
            self._state.restore()
            raise StagingError(
                f"staged statements of one function are nested {MOST_NESTED} deep: it calls "
                "itself, or closures of one function call each other, in a branch or loop that "
                "is traced whether or not it runs.",
                public=RecursionError,
                remedy="Write the recursion as a loop.",
            )
        self._block = staged_block(self._library)
        self._block.__enter__()
        trace.reach = self._state.reach
        trace.found = self._state.found
        trace.nested[code] += 1
        trace.depth += 1
        self.goes_on = False

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> bool:
        depth = trace.depth
        self._block.__exit__(None, None, None)
        trace.reach = self._state.outer_reach
        trace.found = self._state.outer_found
        trace.depth -= 1
        trace.nested[self._state.code] -= 1
        if isinstance(error, Retrace):
            self._state.extend(error)
            self.goes_on = True
            return True
        if error is not None:
            self._state.restore()
        if type(error) is RecursionError and depth >= _DEEP:
            raise _too_deep(depth, sys.getrecursionlimit()) from None
        return False


def _too_deep(depth: int, limit: int) -> StagingError:
    return StagingError(
        f"{depth} staged statements are nested here, since functions call each other in branches "
        f"or loops: tracing them needs more stack than Python's limit of "
        f"{limit} frames.\n  {user_line()}\n",
        public=RecursionError,
        remedy=f"Raise the limit by `sys.setrecursionlimit({max(2 * limit, 20_000)})`, or "
        "write the calls as a loop.",
    )


class Changes(BaseException):
    """Aborts the trace of an operand with a side effect; contains the changed place."""

    def __init__(self, label: str) -> None:
        super().__init__(label)
        self.label = label


def unchanging(
    library: StagingLibrary, operand: Callable[[], Any], *reached: Callable[[], Any]
) -> Callable[[], Any]:
    """Wrap an operand to raise `Changes`, after undoing the change, if it has a side effect.

    Args:
      library: stages the expression.
      operand: returns the value.
      reached: the user functions that it calls.
    """

    def evaluate() -> Any:
        reach = Reach(reached)
        with staged_block(library):
            value = operand()
        changed = reach.changed()
        if changed:
            reach.restore()
            raise Changes(changed[0].label)
        return value

    return evaluate


def has_identity(value: object) -> bool:
    """Return whether a program can tell a value from an equal one.

    >>> has_identity([1]), has_identity((1,)), has_identity("one")
    (True, False, False)
    """
    kind: Any = type(value)
    if issubclass(kind, (list, dict, deque, set)) or hasattr(kind, "__autograph_carried__"):
        return True
    return holds_attributes(kind) and not takes_part(kind)


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
        return [function(item) for item in value]
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


def _snapshot(value: object) -> Any:
    """Return a shallow copy of a plain object."""
    held = {name: own_attribute(value, name) for name in attributes_of(value)}
    return object_with(type(value), {k: v for k, v in held.items() if v is not MISSING})


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


class BranchRaised(BaseException):
    """Aborts a library's `cond` when a branch raised; caught in this module."""

    def __init__(self, error: Exception, in_if: bool) -> None:
        super().__init__(error)
        self.error = error
        self.in_if = in_if


def branch_steps(
    library: StagingLibrary,
    test: object,
    if_body: Callable[[], Any] | None,
    else_body: Callable[[], Any] | None,
    state: State,
    nouts: int | None = None,
    optional: bool = False,
) -> Steps[Any]:
    """Stage an `if`: both branches start from the same state, their outputs become the state.

    A branch that raises during the trace becomes a branch that raises at run time.

    Args:
      library: stages it.
      test: the staged test.
      if_body, else_body: the branches; None: an empty one.
      state: the state that they change.
      nouts: number of variables that are live afterwards. None: all.
      optional: whether the reader of the result tests it for None by operators.

    Returns:
      The result of the branches.
    """
    returned = ProgramName(RETURN_VALUE) if optional else RETURN_VALUE

    def traced(body: Callable[[], Any] | None, in_if: bool) -> Steps[tuple[Any, ...]]:
        state.begin(block=in_if)
        try:
            value = None if body is None else (yield body)
        except RecursionError:
            # The trace is too deep. Tracing the other branch at each level would be exponential.
            raise
        except Exception as error:
            if trace.rolling:
                raise CannotRoll from error
            _refuse_end_of_iteration(error)
            raise BranchRaised(error, in_if) from error
        entries = state.read(nouts, value)
        outputs = (*state.outputs(entries, nouts), state.reference(value))
        state.restore()  # the user's variables must not keep values of a trace that has ended
        return outputs

    attempt = Attempt(library, state)
    branches = partial(traced, if_body, True), partial(traced, else_body, False)
    try:
        while attempt.goes_on:
            with attempt:
                names = (*state.outputs(state.names, nouts), returned)
                *outputs, value = yield from _cond_steps(library, test, *branches, names)
    except BranchRaised as stopped:
        state.restore()
        _stage_raise(library, test, if_body if stopped.in_if else else_body, stopped)
        state.restore()
        other = else_body if stopped.in_if else if_body
        result = None if other is None else (yield other)
    else:
        result = state.finish(state.entries(tuple(outputs), nouts), value)
    return result if optional else settled(result)


def _cond_steps(
    library: StagingLibrary,
    test: object,
    if_steps: Callable[[], Steps[tuple[Any, ...]]],
    else_steps: Callable[[], Steps[tuple[Any, ...]]],
    names: tuple[str, ...],
) -> Steps[tuple[Any, ...]]:
    steps = optional(library, "cond_steps")
    outputs: tuple[Any, ...]
    if steps is None:
        branches = partial(run, if_steps), partial(run, else_steps)
        outputs = yield partial(library.cond, test, *branches, names)
    else:
        outputs = yield from steps(test, if_steps, else_steps, names)
    return outputs


def _refuse_end_of_iteration(error: Exception) -> None:
    """Raise if the end of an iteration by Python itself is decided at run time.

    The iteration would never end during the trace.
    """
    if isinstance(error, (StopIteration, StopAsyncIteration)):
        raise StagingError(
            f"`{type(error).__name__}` is raised in a staged statement: Python itself iterates "
            "while the function is traced, and cannot wait for what the running program decides.",
            remedy="Write the loop as a `while` over the same condition.",
        ) from error
    if isinstance(error, IndexError) and error.__traceback__ is not None:
        _count_end_of_items(error, error.__traceback__)


MOST_ITEMS = 1000
"""Maximum number of times that a trace stages an IndexError of one `__getitem__`. Python iterates
by `__getitem__` until IndexError, so the trace would never end."""


def _count_end_of_items(error: IndexError, traceback: TracebackType) -> None:
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    code = traceback.tb_frame.f_code
    if "__getitem__" not in code.co_qualname.split("."):
        return
    key = code.co_filename, code.co_firstlineno
    trace.ends[key] = trace.ends.get(key, 0) + 1
    if trace.ends[key] > MOST_ITEMS:
        raise StagingError(
            f"`__getitem__` raises `IndexError` in a staged statement, and was asked for "
            f"{MOST_ITEMS} items: Python itself iterates while the function is traced, and cannot "
            "wait for what the running program decides.",
            remedy="Write the loop as a `while` over the same condition.",
        ) from error


def _stage_raise(
    library: StagingLibrary, test: object, body: Callable[[], Any] | None, stopped: BranchRaised
) -> None:
    """Stage a branch that raises, with its side effects before, and without outputs."""
    if optional(library, "raise_here") is None:
        library.raise_when(test if stopped.in_if else library.not_(test), stopped.error)
        return

    def raises() -> tuple[Any, ...]:
        try:
            if body is not None:
                body()
        except Exception as error:
            library.raise_here(error)
        else:
            library.raise_here(stopped.error)
        return ()

    if_fn, else_fn = (raises, tuple) if stopped.in_if else (tuple, raises)
    with staged_block(library):
        library.cond(test, if_fn, else_fn, ())


def run_iteration(
    library: StagingLibrary,
    state: State,
    values: tuple[Any, ...],
    body: Callable[[], Any],
) -> None:
    """Run the body of a staged loop on the given values of its state.

    A body that raises during the trace becomes one that raises at run time. The state then keeps
    the values before the iteration.
    """
    # An earlier trace of the body may have changed more than the state: a cached property.
    state.restore()
    state.begin(values)
    try:
        body()
    except RecursionError:
        # The trace is too deep.
        raise
    except Exception as error:
        if trace.rolling:
            raise CannotRoll from error
        if optional(library, "raise_here") is None:
            raise
        _refuse_end_of_iteration(error)
        library.raise_here(error)
        state.restore()
        state.begin(values)


def value_steps(
    library: StagingLibrary,
    test: object,
    if_value: Callable[[], Any],
    else_value: Callable[[], Any],
    reached: Iterable[Any] = (),
) -> Steps[Any]:
    """Stage a conditional expression.

    Args:
      library: stages it.
      test: the staged test.
      if_value, else_value: return the values.
      reached: other user functions that these call.
    """
    state = State(None, None, (), (if_value, else_value, *reached))
    return branch_steps(library, test, if_value, else_value, state, optional=True)
