"""Where a compiled function finds the tensors and other values that it can reach."""

from __future__ import annotations

import builtins
import dataclasses
import enum
import functools
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import torch

from autograph.adapters import refusals
from autograph.adapters.names import is_compiled
from autograph.adapters.torch.objects import HOOKS, Walk
from autograph.conversion.class_facts import CACHED
from autograph.conversion.guard import OWN_NAMES
from autograph.conversion.libraries import is_known_library
from autograph.errors import StagingError
from autograph.reach.classes import is_library_object, is_machinery
from autograph.reach.places import MISSING, Cell, Count, Keys, Place, Unhidden, own_attribute
from autograph.reach.reads import Reads

CONSTANTS = (
    bool, int, float, complex, str, bytes, type(None), enum.Enum, torch.dtype, torch.device,
    torch.Size, torch.layout, torch.memory_format, slice, range, type(...),
)  # fmt: skip
"""Classes of values that do not change."""

_KEPT = (types.FunctionType, type, functools.partial)


@dataclass
class _Record:
    """An example."""


_OF_DATACLASSES = (dataclasses.Field, type(vars(_Record)["__dataclass_params__"]))
"""What a class of records keeps of its text."""

LENGTH = "the number of items"

NAMES = "the names"
"""For those of a namespace, in order."""

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
        elif _is_opaque(value):
            self.guarded.append(slot.inside(IDENTITY, value))
        elif isinstance(value, (*CONSTANTS, *_KEPT)):
            self.guarded.append(slot)
        elif isinstance(value, tuple) or kind is list:
            self.guarded.append(slot.inside(LENGTH, len(value)))
            for number, item in enumerate(value):
                self._add(slot.inside(number, item))
        elif kind is dict:
            self.guarded.append(slot.inside(LENGTH, len(value)))
            for key, item in value.items():
                if isinstance(key, CONSTANTS):
                    self._add(slot.inside(key, item))
        elif type(value).__module__.partition(".")[0] == "numpy":
            self.refused = refusals.refusal(
                f"a compiled function reads `{slot.label}`, a {kind.__name__} of NumPy.",
                "Make a tensor of it, by torch.as_tensor.",
                place=self._where,
            )
        elif own_attribute(value, "__dict__") is not MISSING:
            self._slots.setdefault(id(value), slot)
            self.guarded.append(slot)


def _is_opaque(value: object) -> bool:
    """Return whether TorchDynamo has no constant for a function or class, but its identity."""
    if isinstance(value, type):
        return issubclass(value, torch.autograd.Function)
    if isinstance(value, types.FunctionType):
        return is_compiled(value) or is_known_library(value.__globals__)
    kind = type(value)
    is_standard = is_machinery(kind) or is_library_object(kind)
    return isinstance(value, (CACHED, torch.jit.ScriptFunction)) or (
        is_standard and not isinstance(value, CONSTANTS)
    )


def _slots_of_module(module: torch.nn.Module) -> Iterator[Slot]:
    """Yield what a module reads of itself: all of it if PyTorch wrote its class."""
    label = type(module).__name__

    def own(name: str, value: object) -> Slot:
        return Slot("attribute", module, name, f"{label}.{name}", (), value)

    # The public methods leave out parameters that are None, which may become others.
    for names in (module._parameters, module._buffers, module._modules):
        for name, value in names.items():
            yield own(name, value)
    for name in HOOKS:
        hooks = getattr(module, name)
        yield own(name, hooks).inside(LENGTH, len(hooks))
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
        if isinstance(value, (types.FunctionType, property)):
            yield Slot("attribute", owner, place.key, place.label, (IDENTITY,), value)
        return
    yield Slot("attribute", owner, place.key, place.label, (), value)


def _reader_of_global(names: dict[str, Any], name: str) -> Callable[[], Any]:
    """Return a function that reads a global: TorchDynamo sees what the program assigned to it."""
    code = compile(f"lambda: {name}", "<global>", "eval").co_consts[0]
    return types.FunctionType(code, names, "read")


def _reader_of_absent(names: dict[str, Any], name: str) -> Callable[[], Any]:
    """Return a function that gives None until a dict has a name: TorchDynamo guards that one."""
    code = compile(f"lambda: names.get({name!r})", "<global>", "eval").co_consts[0]
    return types.FunctionType(code, {"__builtins__": builtins, "names": names}, "read")


def _names_in(names: dict[str, Any], label: str) -> Slot:
    """Return the place of the names in a namespace."""
    reader = types.FunctionType(
        (lambda: names).__code__, globals(), "read", None, (types.CellType(names),)
    )
    return Slot("variable", reader, "", label, (NAMES,), tuple(names))


def _reader_of_cell(cell: types.CellType) -> Callable[[], Any]:
    """Return a function whose free variable is this cell: TorchDynamo reads it as a variable."""
    variable = None
    return types.FunctionType((lambda: variable).__code__, globals(), "read", None, (cell,))


_OF_MODULES = frozenset(vars(torch.nn.Module()))
"""What `_slots_of_module` finds."""
