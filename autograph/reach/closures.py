"""Functions that no reachable code can change, so that nested statements can skip them."""

from __future__ import annotations

import dis
import functools
import types
from collections.abc import Container, Iterable, Mapping
from typing import Any, NamedTuple

from autograph import staging
from autograph.code_objects import names_in
from autograph.conversion.libraries import is_known_library
from autograph.reach.places import NOTE, Cell, Place

_WRITERS = frozenset(
    {"setattr", "delattr", "__setattr__", "__delattr__", "__dict__", "vars", "cell_contents",
     "exec", "eval"}
)  # fmt: skip
"""Names of functions that assign attributes or free variables."""


class Closures(NamedTuple):
    """Functions whose free variables and attributes stay constant while a block is traced.

    They refer to other such functions and to immutable values only.

    Attributes:
      places: a variable that refers to the function, by id of the function.
      codes: a function for each code object, by id of its globals and the code.
    """

    places: Mapping[int, Place]
    codes: Mapping[Any, types.FunctionType]


NO_CLOSURES = Closures({}, {})


def unchanging_closures(
    objects: Iterable[Any], blocks: Container[int], atoms: Container[Any], known: Closures
) -> Closures:
    """Find the unchanging functions among all objects reachable from the blocks.

    Args:
      objects: the objects.
      blocks: ids of the blocks, which nested statements do not reach.
      atoms: classes of immutable values.
      known: the unchanging functions of the enclosing statement.
    """
    functions = {id(each): each for each in objects if type(each) is types.FunctionType}
    if functions.keys() <= known.places.keys():
        return known
    if any(_assigns_attributes(code) for code in _codes_of_program(functions.values())):
        return NO_CLOSURES
    assigned = {id(cell) for each in functions.values() for cell in _assigned_cells(each)}
    users: dict[int, list[int]] = {}
    places: dict[int, Place] = {}
    changing: list[int] = []
    for number, function in functions.items():
        if number in known.places:
            continue
        if number in blocks or _has_own_values(function):
            changing.append(number)
        for name, cell in zip(
            function.__code__.co_freevars, function.__closure__ or (), strict=True
        ):
            place = Cell(cell, "contents", name)
            value = place.read()
            if type(value) is types.FunctionType:
                users.setdefault(id(value), []).append(number)
                places.setdefault(id(value), place)
            if id(cell) in assigned or not _is_settled(value, functions, atoms, known):
                changing.append(number)
    reached: set[int] = set()
    while changing:
        number = changing.pop()
        if number not in reached:
            reached.add(number)
            changing += users.get(number, ())
    own = {
        number: place
        for number, place in places.items()
        if number in functions and number not in reached and number not in known.places
    }
    if not own:
        return known
    found = [functions[number] for number in own]
    codes = {(id(each.__globals__), each.__code__): each for each in found}
    return Closures({**known.places, **own}, {**known.codes, **codes})


def _has_own_values(function: types.FunctionType) -> bool:
    noted = all(name.startswith(NOTE) for name in function.__dict__)
    return not noted or bool(function.__defaults__ or function.__kwdefaults__)


def _is_settled(
    value: object, functions: Container[int], atoms: Container[Any], known: Closures
) -> bool:
    kind = type(value)
    if kind is types.FunctionType:
        return id(value) in functions or id(value) in known.places
    carried = hasattr(kind, "__autograph_carried__") or hasattr(kind, "__autograph_refers__")
    return kind in atoms or (staging.takes_part(kind) and not carried)


def _codes_of_program(functions: Iterable[types.FunctionType]) -> set[types.CodeType]:
    return {each.__code__ for each in functions if not is_known_library(each.__globals__)}


def _assigned_cells(function: types.FunctionType) -> Iterable[types.CellType]:
    names = _assigned_in(function.__code__)
    if not names:
        return ()
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return [cell for name, cell in cells if name in names]


@functools.lru_cache(maxsize=4096)
def _assigned_in(code: types.CodeType) -> frozenset[str]:
    """Return the free variables that code, or code inside it, assigns or deletes."""
    stores = ("STORE_DEREF", "DELETE_DEREF")
    found = {each.argval for each in dis.get_instructions(code) if each.opname in stores}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found |= _assigned_in(constant)
    return frozenset(found.intersection(code.co_freevars))


@functools.lru_cache(maxsize=4096)
def _assigns_attributes(code: types.CodeType) -> bool:
    """Return whether code, or code inside it, assigns or deletes attributes."""
    stores = ("STORE_ATTR", "DELETE_ATTR")
    if not _WRITERS.isdisjoint(names_in(code)):
        return True
    return any(each.opname in stores for each in dis.get_instructions(code)) or any(
        _assigns_attributes(each) for each in code.co_consts if isinstance(each, types.CodeType)
    )
