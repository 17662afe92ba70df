"""Where a compiled function finds the tensors and other values that it can reach."""

from __future__ import annotations

import array
import builtins
import contextvars
import dataclasses
import enum
import functools
import types
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from autograph.adapters import refusals
from autograph.adapters.names import is_compiled
from autograph.adapters.torch.objects import HOOKS, Walk
from autograph.conversion.class_facts import CACHED
from autograph.conversion.guard import OWN_NAMES
from autograph.conversion.libraries import is_known_library
from autograph.errors import StagingError
from autograph.reach.classes import is_library_object, is_machinery
from autograph.reach.places import (
    MISSING,
    Cell,
    Count,
    Keys,
    Place,
    Unhidden,
    own_attribute,
    parts_of,
)
from autograph.reach.reads import Reads
from autograph.reach.referents import referent_of
from autograph.reach.walk import ATOMS

CONSTANTS = (
    bool, int, float, complex, str, bytes, type(None), enum.Enum, torch.dtype, torch.device,
    torch.Size, torch.layout, torch.memory_format, slice, range, type(...),
)  # fmt: skip
"""Classes of values that do not change."""

_OPAQUE = (CACHED, torch.jit.ScriptFunction)

_BUFFERS = (bytearray, memoryview, array.array)

_KEPT = (types.FunctionType, type, functools.partial)


@dataclass
class _Record:
    """An example."""


_OF_DATACLASSES = (dataclasses.Field, type(vars(_Record)["__dataclass_params__"]))
"""What a class of records keeps of its text."""

LENGTH = "the number of items"

FUNCTION = "the function"
"""For that of a bound method."""

NAMES = "the names"
"""For those of a namespace, in order."""

REFERENT = "the referent"
"""For that of a weak reference."""

VALUES = "the values"
"""For those of a dict, some keys of which TorchDynamo cannot compare."""

CONTEXT = "the value in this context"
"""For that of a context variable; None where it was not set."""

_GUARDS_CONTEXTS = torch.__version__ >= (2, 14)
"""Whether TorchDynamo compares values of context variables."""

IDENTITY = "the identity"
"""For functions and classes in place of which TorchDynamo sees something else."""


@dataclass(frozen=True, eq=False)
class Slot:
    """Where code finds a value.

    Attributes:
      kind: "leaf", of the arguments; "variable", of a function or module; "attribute"; "item".
      owner: the object or dict; a function that reads the variable.
      key: the number of the leaf, or the key.
      label: what the program calls the value.
      path: the keys in nested containers; `LENGTH` for the length of one, `NAMES`, `IDENTITY`
        for that of a function or class.
      value: what was found there.
    """

    kind: str
    owner: Any
    key: Any
    label: str
    path: tuple[Any, ...] = ()
    value: Any = None

    def inside(self, key: object, value: object) -> Slot:
        """Return the place of an item of the container that is here."""
        return Slot(self.kind, self.owner, self.key, self.label, (*self.path, key), value)


class Reachable:
    """What a function can read, judging by the names in its code.

    Args:
      walk: the walk over what it reaches.
      leaves: its arguments, by what messages call them.
      where: the function, for messages.
      reads: what its functions read, or those of them that count.

    Attributes:
      refused: the error for a value that no graph reads, or None.
      tensors: where tensors are found.
      aliases: where the same are found, too.
      guarded: where other values are found.
    """

    def __init__(
        self, walk: Walk, leaves: Mapping[str, Any], where: refusals.Place | None, *reads: Reads
    ) -> None:
        self.refused: StagingError | None = None
        self._where = where
        self.tensors: list[Slot] = []
        self.aliases: list[Slot] = []
        self.guarded: list[Slot] = []
        self._slots: dict[int, Slot] = {}
        for number, (name, leaf) in enumerate(leaves.items()):
            slot = Slot("leaf", None, number, name, (), leaf)
            if isinstance(leaf, torch.Tensor):
                self._add(slot)
            elif not isinstance(leaf, CONSTANTS):
                self._slots.setdefault(id(leaf), slot)
        self._unhidden: list[Unhidden] = []
        for each in reads:
            self._read(each)
        for module in walk.modules:
            for slot in _slots_of_module(module):
                self._add(slot)

    def _read(self, reads: Reads) -> None:
        owners = {id(own_attribute(each, "__dict__")): each for each in reads.objects()}
        for place, value in reads.places():
            if isinstance(place, Unhidden):
                self._unhidden.append(place)
            else:
                for slot in _slots_of(place, value, owners):
                    self._add(slot)

    def _add_items(self, slot: Slot, keys: Iterable[Any], items: Sequence[Any]) -> None:
        self.guarded.append(slot.inside(LENGTH, len(items)))
        values = slot.inside(VALUES, None)
        for number, (key, item) in enumerate(zip(keys, items, strict=True)):
            self._add(slot.inside(key, item) if _is_constant(key) else values.inside(number, item))

    def _add_context(self, slot: Slot, variable: contextvars.ContextVar[Any]) -> None:
        value = variable.get(None)
        if _GUARDS_CONTEXTS:
            self._add(slot.inside(CONTEXT, value))
        elif value is not None or _has_default(variable):
            self.refused = refusals.refusal(
                f"a compiled function reads `{slot.label}`, a context variable, which this version "
                "of PyTorch does not compare at later calls.",
                "Pass its value as an argument, or use PyTorch 2.14.",
                place=self._where,
            )

    def missing(self) -> Iterator[Slot]:
        """Yield where names are missing: the names of the namespace, or each name in a module."""
        for place in self._unhidden:
            names = place.namespace
            if type(place) is Unhidden and "__builtins__" not in names:
                yield _names_in(names, place.label)
            else:
                for name in sorted(place.key):
                    yield Slot("variable", _reader_of_absent(names, name), "", name)

    def slot_of(self, value: object) -> Slot | None:
        """Return where a tensor or an object is found; None for other values."""
        found = None if isinstance(value, CONSTANTS) else self._slots.get(id(value))
        return found if found is not None and found.value is value else None

    def _add(self, slot: Slot) -> None:
        value = slot.value
        kind = type(value)
        if isinstance(value, torch.Tensor):
            known = self._slots.setdefault(id(value), slot)
            (self.tensors if known is slot else self.aliases).append(slot)
        elif slot.path[-1:] in ((NAMES,), (IDENTITY,)):
            self.guarded.append(slot)
        elif isinstance(value, weakref.ReferenceType):
            self._add(slot.inside(REFERENT, referent_of(value)))
        elif isinstance(value, contextvars.ContextVar):
            self._add_context(slot, value)
        elif _is_container(value):
            self._add_items(slot, *_parts_of(value))
        elif isinstance(value, (set, frozenset)):
            self.guarded.append(slot.inside(LENGTH, len(value)))
            if all(map(_is_constant, value)):
                self.guarded.append(slot.inside(NAMES, tuple(value)))
        elif kind.__module__.partition(".")[0] == "numpy" or isinstance(value, _BUFFERS):
            remedy = "Make a tensor of it, by torch.as_tensor."
            name = f"an object of NumPy ({kind.__name__})"
            if isinstance(value, _BUFFERS):
                name = f"a buffer ({kind.__name__})"
            elif isinstance(value, np.generic):
                name = f"a number of NumPy ({kind.__name__})"
                remedy = "Make it a number of Python, by its method item()."
            self.refused = refusals.refusal(
                f"a compiled function reads `{slot.label}`, {name}.",
                remedy,
                place=self._where,
            )
        elif _is_opaque(value):
            self.guarded.append(slot.inside(IDENTITY, value))
        elif isinstance(value, (*CONSTANTS, *_KEPT)):
            self.guarded.append(slot)
        else:
            self._slots.setdefault(id(value), slot)
            self.guarded.append(slot)


def _has_default(variable: contextvars.ContextVar[Any]) -> bool:
    """Return whether a variable has a default besides None, which libraries give to theirs."""
    try:
        return contextvars.Context().run(variable.get) is not None
    except LookupError:
        return False


def _is_container(value: object) -> bool:
    """Return whether TorchDynamo reads the items of a tuple, list or dict as Python does."""
    kind: Any = type(value)
    bases = [base for base in (tuple, list, deque, dict) if issubclass(kind, base)]
    return kind is types.MappingProxyType or any(
        kind.__getitem__ is base.__getitem__ and kind.__len__ is base.__len__ for base in bases
    )


def _parts_of(value: Any) -> tuple[Sequence[Any], Sequence[Any]]:
    """Return the keys and items of a container; no method of the user's class runs."""
    if isinstance(value, tuple):
        return range(len(value)), tuple(tuple.__iter__(value))
    return parts_of(dict(value) if isinstance(value, types.MappingProxyType) else value)


def _is_constant(value: object) -> bool:
    """Return whether a key or member does not change, nor do its parts."""
    if isinstance(value, (tuple, frozenset)):
        return all(map(_is_constant, value))
    return isinstance(value, (*CONSTANTS, type))


def _is_opaque(value: object) -> bool:
    """Return whether TorchDynamo has no constant for a function or class, but its identity."""
    if isinstance(value, type):
        return issubclass(value, torch.autograd.Function)
    if isinstance(value, types.FunctionType):
        return is_compiled(value) or is_known_library(value.__globals__)
    kind = type(value)
    is_standard = is_machinery(kind) or is_library_object(kind)
    return isinstance(value, _OPAQUE) or (is_standard and not isinstance(value, CONSTANTS))


def _slots_of_module(module: torch.nn.Module) -> Iterator[Slot]:
    """Yield what a module reads of itself: all of it if PyTorch wrote its class."""
    label = type(module).__name__

    def own(name: str, value: object) -> Slot:
        return Slot("attribute", module, name, f"{label}.{name}", (), value)

    # The public methods leave out parameters that are None, which may become others.
    for kind in ("_parameters", "_buffers", "_modules"):
        held = getattr(module, kind)
        yield own(kind, held).inside(NAMES, tuple(held))
        for name, value in held.items():
            yield own(name, value)
    for name in HOOKS:  # which TorchDynamo does not compare where it finds them in a module
        yield _names_in(getattr(module, name), f"{label}.{name}")
    is_library = type(module).__module__.startswith("torch.")
    for name, value in vars(module).items():
        if name == "training" or (is_library and isinstance(value, CONSTANTS)):
            yield own(name, value)


def _slots_of(place: Place, value: Any, owners: dict[int, Any]) -> Iterator[Slot]:
    if isinstance(place, (Count, Keys)):
        yield _names_in(place.owner, place.label)
        return
    if isinstance(place, Cell):
        if value is not MISSING and place.label not in OWN_NAMES:
            yield Slot("variable", _reader_of_cell(place.owner), "", place.label, (), value)
        return
    if isinstance(place.owner, dict) and "__builtins__" in place.owner and value is not MISSING:
        reader = _reader_of_global(place.owner, place.key)
        yield Slot("variable", reader, "", place.label, (), value)
        return
    owner = owners.get(id(place.owner)) if isinstance(place.owner, dict) else place.owner
    if isinstance(place.owner, dict) and is_machinery(type(owner)):
        owner = None  # TorchDynamo has objects of its own in place of loggers
    if owner is None and value is MISSING and isinstance(place.key, str):
        reader = _reader_of_absent(place.owner, place.key)
        yield Slot("variable", reader, "", place.label)
        return
    if owner is None:
        held = None if value is MISSING else value
        yield Slot("item", place.owner, place.key, place.label, (), held)
        return
    if isinstance(owner, (CACHED, *_OF_DATACLASSES)):
        return
    if isinstance(owner, torch.nn.Module) and place.key in _OF_MODULES:
        return
    if value is MISSING:
        value = getattr(type(owner), place.key, MISSING)
        if not isinstance(value, CONSTANTS):
            return
    if isinstance(owner, type) and not isinstance(value, (*CONSTANTS, torch.Tensor)):
        yield from _slots_of_member(owner, place, value)
        return
    yield Slot("attribute", owner, place.key, place.label, (), value)


def _slots_of_member(owner: type, place: Place, value: Any) -> Iterator[Slot]:
    """Yield where a member of a class is found that is no constant and no tensor."""
    if isinstance(value, (types.FunctionType, property)):
        yield Slot("attribute", owner, place.key, place.label, (IDENTITY,), value)
    elif isinstance(value, (staticmethod, classmethod)):
        is_bound = isinstance(value, classmethod)
        path = (FUNCTION, IDENTITY) if is_bound else (IDENTITY,)
        yield Slot("attribute", owner, place.key, place.label, path, value.__func__)
    elif type(value) not in ATOMS and not hasattr(type(value), "__get__"):
        yield Slot("attribute", owner, place.key, place.label, (), value)


def _reader_of_global(names: dict[str, Any], name: str) -> Callable[[], Any]:
    """Return a function that reads a global: TorchDynamo sees what the program assigned to it."""
    code = compile(f"lambda: {name}", "<global>", "eval").co_consts[0]
    return types.FunctionType(code, names, "read")


class _Namespace:
    """The globals of a module as attributes, which TorchDynamo reads one by one.

    It looks at all items of a dict; its own names come and go in globals meanwhile.
    """


def _reader_of_absent(names: dict[str, Any], name: str) -> Callable[[], Any]:
    """Return a function that gives None until a dict has a name: TorchDynamo guards that one."""
    held: Any = names
    text = f"lambda: names.get({name!r})"
    if "__builtins__" in names and not hasattr(_Namespace, name):
        held = _Namespace()
        held.__dict__ = names
        text = f"lambda: getattr(names, {name!r}, None)"
    code = compile(text, "<global>", "eval").co_consts[0]
    return types.FunctionType(code, {"__builtins__": builtins, "names": held}, "read")


def _names_in(names: dict[str, Any], label: str) -> Slot:
    """Return the place of the names in a namespace."""
    reader = _reader_of_cell(types.CellType(names))
    return Slot("variable", reader, "", label, (NAMES,), tuple(names))


def _reader_of_cell(cell: types.CellType) -> Callable[[], Any]:
    """Return a function whose free variable is this cell: TorchDynamo reads it as a variable."""
    variable = None
    return types.FunctionType((lambda: variable).__code__, globals(), "read", None, (cell,))


_OF_MODULES = frozenset(vars(torch.nn.Module()))
"""What `_slots_of_module` finds."""
