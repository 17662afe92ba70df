"""The traversal of all objects reachable from functions and values."""

from __future__ import annotations

import contextlib
import functools
import gc
import itertools
import linecache
import sys
import types
import weakref
from abc import ABCMeta
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from autograph import staging
from autograph.code_objects import globals_in
from autograph.conversion.class_facts import CACHED, is_base, is_static
from autograph.conversion.libraries import is_known_library, is_written_for_tracers
from autograph.errors import StagingError
from autograph.operators.moved import Moved, Parted, resolve
from autograph.operators.variables import Conflict, Undefined
from autograph.reach.classes import (
    Vocabulary,
    draws_numbers,
    holds_attributes,
    is_decimal_context,
    is_enumeration,
    is_iterator,
    is_library_object,
    is_machinery,
    is_native,
    is_of_program,
    is_of_tensor_library,
    slots_of,
)
from autograph.reach.closures import NO_CLOSURES, Closures, settled_closures
from autograph.reach.places import Cell, Member, Place, own_attribute, parts_of
from autograph.reach.record import Change, Label, Record, Sealed, text_of
from autograph.reach.records import (
    Attributes,
    ClassNames,
    Held,
    Items,
    LibraryClassNames,
    ModuleNames,
    Names,
    NewNames,
    NoAttributes,
    SettingsOfMachinery,
    Single,
    Slots,
)
from autograph.reach.referents import (
    cached_by,
    calls_library,
    is_dispatcher,
    is_writable_buffer,
    names_of_class,
    referent_of,
    shared_generator,
)
from autograph.reach.sealed import (
    Buffer,
    DecimalContext,
    Finalizer,
    Members,
    NumPyRandom,
    Position,
    RandomBits,
    RandomNumbers,
    Reduced,
    Referents,
    Settings,
)

MOST_OBJECTS = 200_000
"""Maximum number of objects that one statement may reach; the traversal then takes about 1 s."""

ATOMS = frozenset(
    {int, float, complex, bool, str, bytes, type(None), type(...), type(NotImplemented), range,
     object, types.CodeType, types.WrapperDescriptorType, types.MethodDescriptorType,
     types.MemberDescriptorType, types.GetSetDescriptorType, Conflict,
     Undefined, Moved, Parted}
)  # fmt: skip
"""Classes of immutable values."""

_FRAMES = (types.FrameType, types.TracebackType, types.CoroutineType, types.AsyncGeneratorType)
_CONTAINERS = (list, dict, tuple, set, frozenset, deque)
_COUNTING = (types.GeneratorType, itertools.count)


class Reach:
    """A snapshot of all objects reachable from functions and values.

    Args:
      functions: the blocks of a statement. Their free variables are places, too.
      values: other values, keyed by the user's names.
      besides: variables to leave out: ids of cells, and pairs of the id of a namespace and a name.
      outer: the reach of the enclosing statement.

    Raises:
      StagingError: if more than `MOST_OBJECTS` objects are reachable.

    >>> counts = [1, 2]
    >>> reach = Reach([], {"counts": counts})
    >>> counts.append(3)
    >>> [place.label for place in reach.changed()]
    ['counts']
    >>> reach.restore(); counts
    [1, 2]
    """

    def __init__(
        self,
        functions: Iterable[Callable[..., Any] | None],
        values: dict[str, Any] | None = None,
        besides: frozenset[Any] = frozenset(),
        outer: Reach | None = None,
    ) -> None:
        known = NO_CLOSURES if outer is None else outer.closures
        self.outer = outer
        self._closures = known if known.are_settled(ATOMS) else NO_CLOSURES
        self._codes = self._closures.codes
        self._records: list[Record] = self._records_of_closures(besides)
        self._held: dict[int, Any] = {}
        self._seen_cells: set[int] = set()
        self._seen_codes: set[tuple[int, types.CodeType]] = set()
        self._besides = besides
        self._waiting: list[tuple[Any, Label]] = []
        self._without_memory: set[type] = set()
        self._owners: dict[int, Items | Held | None] = {}
        self._unseen: dict[int, Label] = {}
        self.vocabulary = Vocabulary()
        self._modules: dict[int, tuple[types.ModuleType, set[str]]] = {}
        with hashable_classes():
            for function in functions:
                if function is not None:
                    named = type(function) is types.FunctionType
                    self._wait(function, function.__name__ if named else "a block")
            self._blocks = frozenset(self._held)
            for name, value in (values or {}).items():
                self._wait(value, name)
            if "numpy.random" in sys.modules:
                self._records.append(NumPyRandom(sys.modules["numpy.random"], "numpy.random"))
            if "decimal" in sys.modules:
                self._records.append(DecimalContext(sys.modules["decimal"]))
            self._look_at_waiting()

    def _look_at_waiting(self) -> None:
        # An attribute would refer to this object, which would outlive its last use.
        looks: dict[type, Callable[[Any, Label], None]] = {}
        while self._waiting or self._look_further():
            value, label = self._waiting.pop()
            if len(self._held) > MOST_OBJECTS:
                raise too_many(text_of(label))
            kind = type(value)
            look = looks.get(kind)
            if look is None:
                look = looks[kind] = self._look_for(kind)
            look(value, label)

    @functools.cached_property
    def closures(self) -> Closures:
        """Return the functions that nested statements look at as a whole."""
        return settled_closures(self._held.values(), self._blocks, ATOMS, self._closures)

    def _records_of_closures(self, besides: frozenset[Any]) -> list[Record]:
        known = self._closures
        if known is NO_CLOSURES:
            return []
        cells = [cell for number, cell in known.cells.items() if number not in besides]
        return [Single(cells), NoAttributes(known.functions.values())]

    def holds(self, value: object) -> bool:
        """Return whether a value is a reached object."""
        return id(value) in self._held or id(value) in self._closures.functions

    def changed(self) -> list[Place]:
        """Return the changed places, each once.

        Raises:
          StagingError: for a changed object that cannot be state of a statement.
        """
        return [place for place, _ in self.changes()]

    def changes(self, sealed: bool = True) -> list[Change]:
        """Return the changed places, each once, with their previous values.

        Args:
          sealed: whether to check objects that cannot be state, too.

        Raises:
          StagingError: if such an object changed.
        """
        found: dict[Any, Change] = {}
        for record in self._records:
            if sealed or not isinstance(record, Sealed):
                for place, before in record.changes():
                    found.setdefault(place.identity, (place, before))
        return list(found.values())

    def accepting(self) -> list[Names | Items]:
        """Return the records that can take over changes: of attributes, globals and items."""
        return [each for each in self._records if isinstance(each, (Names, Items))]

    def sealed_changes(self) -> list[Sealed]:
        """Return the records of changed objects that cannot be state of a statement."""
        return [each for each in self._records if isinstance(each, Sealed) and each.has_changed()]

    def unseen(self, value: object) -> str | None:
        """Return the label of a reached iterator whose position cannot be read; else None."""
        label = self._unseen.get(id(value))
        return None if label is None else text_of(label)

    def holds_iterators(self) -> bool:
        """Return whether an iterator was reached: its items cannot be put back."""
        return any(isinstance(each, (Position, Reduced)) for each in self._records)

    def restore(self) -> None:
        """Restore all objects."""
        for record in self._records:
            record.restore()

    def objects(self) -> Iterable[Any]:
        """Return the reached objects."""
        return self._held.values()

    def own_place(self, place: Place) -> Place | None:
        """Return the place equal to one of an earlier traversal; None if not reached."""
        number = id(place.owner)
        record = self._owners.get(number, _NOT_REACHED)
        if record is _NOT_REACHED:
            return place if number in self._seen_cells or number in self._closures.cells else None
        return place if record is None else record.contents

    def holders(self, value: object) -> list[Place]:
        """Return the places that held this value (by identity)."""
        return [place for record in self._records for place in record.holders(value)]

    # ---- the objects ----

    def _wait(self, value: object, label: Label) -> None:
        if type(value) not in ATOMS and id(value) not in self._held:
            self._held[id(value)] = value
            self._waiting.append((value, label))

    def _wait_all(self, values: Iterable[Any], label: Label) -> None:
        for value in values:
            self._wait(value, label)

    def _wait_named(self, name: str, value: object, label: Label) -> None:
        """Follow an attribute of an object, a class or a module of the program."""
        self._wait(value, label)

    def _wait_class(self, kind: type) -> None:
        """Follow the class of an object, or a base of a class."""
        self._wait(kind, kind.__name__)

    def _seal(self, record: type[Sealed], value: object, label: Label) -> None:
        self._records.append(record(value, label))

    def _look_for(self, kind: Any) -> Callable[[Any, Label], None]:
        """Return the method that visits objects of a class."""
        if issubclass(kind, functools.partial):
            return self._look_at_partial
        if issubclass(kind, weakref.ReferenceType) or kind in weakref.ProxyTypes:
            return self._look_at_weak
        if is_base(type, kind):
            return self._look_at_class
        if issubclass(kind, weakref.finalize):
            return functools.partial(self._seal, Finalizer)
        if hasattr(kind, "__autograph_refers__"):
            return lambda value, label: self._wait_all(kind.__autograph_refers__(value), label)
        if issubclass(kind, staging.Alternatives):
            return lambda value, label: self._wait_all(value.__autograph_values__, label)
        if staging.takes_part(kind):
            return self._look_at_staged
        if is_iterator(kind):
            return self._look_at_iterator
        looks: dict[Any, Callable[[Any, Label], None]] = {
            types.FunctionType: self._look_at_function,
            types.MethodType: lambda value, label: self._wait_all(
                (value.__self__, value.__func__), label
            ),
            types.BuiltinMethodType: self._look_at_bound,
            types.MethodWrapperType: self._look_at_bound,
            types.ModuleType: self._look_at_module,
            CACHED: self._look_at_cached,
            types.CellType: self._look_at_cell,
            staticmethod: lambda value, label: self._wait(value.__func__, label),
            classmethod: lambda value, label: self._wait(value.__func__, label),
            property: lambda value, label: self._wait_all(
                (value.fget, value.fset, value.fdel), label
            ),
            memoryview: lambda value, label: self._wait(value.obj, label),
            list: self._look_at_container,
            dict: self._look_at_container,
            tuple: self._look_at_container,
        }
        return looks.get(kind, self._look_at_object)

    def _look_at_partial(self, value: Any, label: Label) -> None:
        self._wait_all((value.func, value.args, value.keywords), label)
        self._look_at_attributes(value, label)

    def _look_at_weak(self, value: object, label: Label) -> None:
        referent = referent_of(value)
        self._wait(referent, f"{text_of(label)}()")

    def _look_at_cached(self, value: object, label: Label) -> None:
        self._look_at_attributes(value, label)
        self._wait_all(cached_by(value), f"{text_of(label)}()")

    def _look_at_cell(self, value: object, label: Label) -> None:
        place = Cell(value, "contents", f"{text_of(label)}.cell_contents")
        self._records.append(Single([place]))
        self._wait(place.read(), place.label)

    def _look_at_bound(self, value: Any, label: Label) -> None:
        self._wait(shared_generator(value.__self__), label)

    def _look_at_staged(self, value: Any, label: Label) -> None:
        if isinstance(value, staging.ReadOnce):
            begun = Member(value, "__autograph_begun__", text_of(label))
            self._records.append(Single([begun]))
        if hasattr(type(value), "__autograph_carried__"):
            held = Held(value, label)
            self._records.append(held)
            self._owners[id(value)] = held
            self._wait_items(value.parts().items(), label)
            self._wait(value.factory, label)

    def _look_at_object(self, value: Any, label: Label) -> None:
        kind: Any = type(value)
        if draws_numbers(kind):
            self._seal(RandomNumbers, value, label)
        elif hasattr(kind, "bit_generator"):
            self._seal(RandomBits, value, label)
        elif self._is_memory(kind, value):
            self._seal(Buffer, value, label)
            if getattr(getattr(value, "dtype", None), "hasobject", False):
                self._wait_items(enumerate(value.ravel().tolist()), label)
        elif is_of_tensor_library(kind) and not holds_attributes(kind):
            self._look_at_wrapped(value, label)
            return
        elif issubclass(kind, _CONTAINERS):
            self._look_at_container(value, label)
        elif issubclass(kind, BaseException):
            arguments = Member(value, "args", f"{text_of(label)}.args")
            self._records.append(Slots([arguments]))
            self._wait(value.args, arguments.label)
        elif is_decimal_context(kind):
            self._seal(Settings, value, label)
        elif is_native(kind):
            self._seal(Referents, value, label)
        if holds_attributes(kind) or issubclass(kind, BaseException):
            self._look_at_attributes(value, label)
            return
        if is_static(kind) and kind not in (*_CONTAINERS, *_FRAMES):
            self._wait_all(gc.get_referents(value), label)
        self._look_at_wrapped(value, label)

    def _look_at_wrapped(self, value: object, label: Label) -> None:
        """Follow the function that a library object, such as a cache, wraps."""
        names = own_attribute(value, "__dict__")
        if type(names) is dict and is_machinery(type(value)):
            self._records.append(SettingsOfMachinery(names, label))
            self._owners[id(names)] = None
        if type(names) is dict and "__wrapped__" in names:
            self._wait(names["__wrapped__"], label)

    def _is_memory(self, kind: type, value: object) -> bool:
        if kind in self._without_memory:
            return False
        found = is_writable_buffer(value)
        if not found and holds_attributes(kind):
            self._without_memory.add(kind)
        return found

    def _look_at_iterator(self, value: object, label: Label) -> None:
        kind = type(value)
        if kind in _COUNTING or hasattr(kind, "__length_hint__"):
            self._seal(Position, value, label)
        elif kind.__module__ == "itertools":
            self._seal(Reduced, value, label)
        elif kind.__module__ != "builtins" or calls_library(value):
            self._unseen[id(value)] = label
        if kind is not types.GeneratorType:
            self._wait_all(gc.get_referents(value), label)

    def _look_at_container(self, value: Any, label: Label) -> None:
        if value is sys.modules:
            return  # a module is followed where code mentions its name
        kind = type(value)
        if issubclass(kind, (set, frozenset)):
            if kind is set:
                self._look_at_items(value, label)
            elif not issubclass(kind, frozenset):
                self._seal(Members, value, label)
            self._wait_all(list(value), label)
        elif issubclass(kind, dict):
            self._look_at_items(value, label)
            self._wait_all(dict.keys(value), (label, ".", "keys()"))
            self._wait_items(dict.items(value), label)
            if issubclass(kind, defaultdict):
                self._wait(value.default_factory, label)
        elif issubclass(kind, list | deque):
            self._look_at_items(value, label)
            self._wait_items(zip(*parts_of(value), strict=True), label)
        else:
            self._wait_items(enumerate(tuple.__iter__(value)), label)

    def _look_at_items(self, value: Any, label: Label) -> None:
        items = Items(value, label, functools.partial(_holders, weakref.ref(self)))
        self._records.append(items)
        self._owners[id(value)] = items
        # A bound list method refers to the list, not to the holder of its moved items.
        self._wait(resolve(value), label)

    def _wait_items(self, items: Iterable[tuple[Any, Any]], label: Label) -> None:
        for key, item in items:
            if type(item) not in ATOMS:
                self._wait(item, (label, "[", key))

    def _look_at_attributes(self, value: Any, label: Label) -> None:
        kind: Any = type(value)
        names = own_attribute(value, "__dict__")
        if type(names) is dict:
            self._records.append(Attributes(value, names, label))
            self._owners[id(names)] = None
            for name, item in names.items():
                if type(item) not in ATOMS:
                    self._wait_named(name, item, (label, ".", name))
        slots = slots_of(kind)
        if slots:
            text = text_of(label)
            members = [Member(value, name, f"{text}.{name}") for name in slots]
            self._records.append(Slots(members))
            self._owners[id(value)] = None
            for member in members:
                self._wait_named(member.key, member.read(), member.label)
        self._wait_class(kind)

    def _look_at_class(self, kind: Any, label: Label = "") -> None:
        if is_static(kind) or is_of_tensor_library(kind):
            return
        if not is_of_program(kind):
            if not is_enumeration(kind):
                self._records.append(LibraryClassNames(kind))
            return
        self._records.append(ClassNames(kind))
        self._owners[id(kind)] = None
        for name, item in self._members_of(kind):
            self._wait_named(name, item, f"{kind.__name__}.{name}")
        for base in (*kind.__bases__, type(kind)):
            self._wait_class(base)

    def _members_of(self, kind: type) -> Iterable[tuple[str, Any]]:
        """Return the members of a class that code with an object of it can read."""
        return names_of_class(kind)

    # ---- the functions ----

    def _look_at_function(self, function: types.FunctionType, label: Label = "") -> None:
        if id(function) in self._closures.functions:
            self._look_at_codes()
            return
        if is_dispatcher(function):
            self._wait(function.__dict__["registry"], f"{function.__name__}.registry")
            return
        self._look_at_cells(function)
        name = function.__name__
        self._records.append(Names(function.__dict__, name))
        if is_known_library(function.__globals__):
            return
        defaults = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
        self._wait_all(defaults, f"a default of {name}")
        if defaults:
            label = f"the defaults of {name}"
            own = [Member(function, key, label) for key in ("__defaults__", "__kwdefaults__")]
            self._records.append(Single(own))
        self._wait_all(tuple(function.__dict__.values()), name)
        self._look_at_globals(function)

    def _look_at_cells(self, function: types.FunctionType) -> None:
        """Follow the free variables of a function."""
        for name, cell in zip(
            function.__code__.co_freevars, function.__closure__ or (), strict=True
        ):
            if id(cell) in self._seen_cells:
                continue
            self._seen_cells.add(id(cell))
            place = Cell(cell, "contents", name)
            if id(cell) not in self._besides:
                self._records.append(Single([place]))
            self._wait(place.read(), name)

    def _look_at_codes(self) -> None:
        """Follow the globals that the functions of the enclosing statement mention."""
        codes, self._codes = self._codes, {}
        for function in codes.values():
            if not is_known_library(function.__globals__):
                self._look_at_globals(function)

    def _look_at_globals(self, function: types.FunctionType) -> None:
        """Follow the globals that the code of a function mentions."""
        if is_written_for_tracers(function.__globals__):
            return  # what it changes there are caches
        # Closures created by one function share their code.
        key = (id(function.__globals__), function.__code__)
        if key in self._seen_codes:
            return
        self._seen_codes.add(key)
        names = globals_in(function.__code__)
        self.vocabulary.add(function.__code__, function.__globals__)
        own = tuple(function.__globals__) if "globals" in names else names
        self._look_at_namespace(function.__globals__, own, "")
        for name in names:
            for module in (function.__globals__.get(name), sys.modules.get(name)):
                if type(module) is types.ModuleType:
                    self._look_at_module(module, name)

    def _look_at_module(self, module: types.ModuleType, label: Label = "") -> None:
        if id(module) not in self._modules:
            self._modules[id(module)] = module, set()
            names = vars(module)
            is_standard = is_known_library(names) and not is_of_tensor_library(module)
            self._records.append((ModuleNames if is_standard else NewNames)(module))
            self._owners[id(names)] = None

    def _look_further(self) -> bool:
        """Follow the module members that code mentions; return whether objects wait."""
        count = len(self._modules)
        for module, known in list(self._modules.values()):
            names = vars(module)
            fresh = tuple(self._names_of_module(names) - known)
            known.update(fresh)
            if is_known_library(names):
                self._look_at_library(module, fresh)
            else:
                self._look_at_namespace(names, fresh, f"{module.__name__}.")
        return bool(self._waiting) or (len(self._modules) > count and self._look_further())

    def _names_of_module(self, names: dict[str, Any]) -> set[str]:
        """Return the names of a module to follow."""
        return self.vocabulary.among(names)

    def _look_at_library(self, module: types.ModuleType, names: tuple[str, ...]) -> None:
        is_standard = not is_of_tensor_library(module)
        mentioned = self.vocabulary.among(vars(module))
        numbers = []
        for name in names:
            value = vars(module)[name]
            kind = type(value)
            label = f"{module.__name__}.{name}"
            carried = hasattr(kind, "__autograph_carried__")
            is_cache = name.startswith("_") or module is linecache
            if is_standard and is_cache and kind in (list, dict):
                continue  # a cache, such as that of `re`, is no state of the program
            if kind is list or kind is dict or carried or is_library_object(kind):
                self._wait(value, label)
            elif kind in ATOMS:
                numbers.append(name)
            elif is_standard and kind is types.ModuleType and name in mentioned:
                self._look_at_module(value)
            elif is_standard and kind is types.FunctionType:
                self._records.append(Names(value.__dict__, label))
            elif is_standard and kind in (type, ABCMeta):
                self._wait(value, name)
        if numbers and not is_standard:
            own = Names(vars(module), module.__name__, wanted=tuple(numbers))
            self._records.append(own)
        if module.__name__ == "random":
            self._wait(shared_generator(module), "random")

    def _look_at_namespace(
        self, names: dict[str, Any], wanted: tuple[str, ...], prefix: str
    ) -> None:
        own = tuple(
            name
            for name in wanted
            if (id(names), name) not in self._besides
            and type(names.get(name)) is not types.ModuleType
        )
        if own:
            self._records.append(Names(names, prefix.removesuffix("."), wanted=own))
            self._owners[id(names)] = None
        for name in own:
            self._wait(names.get(name), prefix + name)


class Objects(Reach):
    """All objects reachable from values, without a snapshot.

    Args:
      values: functions and other values, keyed by the user's names.

    Raises:
      StagingError: if more than `MOST_OBJECTS` objects are reachable.

    >>> [type(each).__name__ for each in Objects({"rows": [{2}]}).objects()]
    ['list', 'set']
    """

    def __init__(self, values: dict[str, Any]) -> None:
        super().__init__([], values)

    def _seal(self, record: type[Sealed], value: object, label: Label) -> None:
        """Keep no record."""

    def _look_at_items(self, value: object, label: Label) -> None:
        """Keep no record."""


_NOT_REACHED: Any = object()


@contextlib.contextmanager
def hashable_classes() -> Iterator[None]:
    """Name the cause of a TypeError about a class without a hash, in code that runs none of the
    program's: it hashes classes only.
    """
    try:
        yield
    except TypeError as error:
        raise_without_hash(error)
        raise


def raise_without_hash(error: TypeError) -> None:
    """Raise the refusal of an object whose class has no hash, if an error is about one."""
    if str(error).startswith("unhashable type"):
        raise StagingError(
            "a function or a staged statement reaches an object of a class that Python cannot hash "
            f"({error}): the metaclass has `__eq__` and no `__hash__`.",
            remedy="Give the metaclass `__hash__ = type.__hash__`.",
        ) from error


def too_many(label: str) -> StagingError:
    """Create the error for a program that reaches more than `MOST_OBJECTS` objects."""
    return StagingError(
        f"a function or a staged statement reaches more than {MOST_OBJECTS} objects, for instance "
        f"through `{label}`: what changes in them cannot be found in reasonable time.",
        remedy="Hold the data in a tensor or a NumPy array, or move it out of the reach of the "
        "functions that the statement calls.",
    )


def _holders(reach: weakref.ref[Reach], value: object) -> list[Place]:
    """Return the places that a walk has found to hold a value; none if its trace has ended.

    The record refers to the walk weakly: together they would live until a collection. A later trace
    that reaches the value has a record of its own.
    """
    walk = reach()
    return [] if walk is None else walk.holders(value)
