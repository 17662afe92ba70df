"""Functions of constants and other such functions, which nested statements look at as a whole."""

from __future__ import annotations

import types
from collections.abc import Container, Iterable, Mapping
from typing import Any, NamedTuple

from autograph import staging
from autograph.reach.places import Cell, own_names


class Closures(NamedTuple):
    """Functions that refer, by free variables only, to each other and to immutable values.

    A statement inside one that reached them only compares their free variables and attributes.

    Attributes:
      functions: the functions by id.
      codes: a function for each code object, by id of its globals and the code.
      cells: their free variables by id.
    """

    functions: Mapping[int, types.FunctionType]
    codes: Mapping[Any, types.FunctionType]
    cells: Mapping[int, Cell]

    def are_settled(self, atoms: Container[Any]) -> bool:
        """Return whether the functions still refer to each other and to immutable values only."""
        return not any(map(_has_own_values, self.functions.values())) and all(
            _is_settled(cell.read(), self.functions, atoms) for cell in self.cells.values()
        )


NO_CLOSURES = Closures({}, {}, {})


def settled_closures(
    objects: Iterable[Any], blocks: Container[int], atoms: Container[Any], known: Closures
) -> Closures:
    """Find such functions among all objects reachable from the blocks.

    Args:
      objects: the objects.
      blocks: ids of the blocks, which nested statements do not reach.
      atoms: classes of immutable values.
      known: the functions found for the enclosing statement.
    """
    functions = {id(each): each for each in objects if type(each) is types.FunctionType}
    if functions.keys() <= known.functions.keys():
        return known
    functions |= known.functions
    users: dict[int, list[int]] = {}
    cells: dict[int, list[Cell]] = {}
    changing: list[int] = []
    for number, function in functions.items():
        if number in known.functions:
            continue
        if number in blocks or _has_own_values(function):
            changing.append(number)
        cells[number] = _cells(function)
        for cell in cells[number]:
            value = cell.read()
            if type(value) is types.FunctionType:
                users.setdefault(id(value), []).append(number)
            if not _is_settled(value, functions, atoms):
                changing.append(number)
    reached: set[int] = set()
    while changing:
        number = changing.pop()
        if number not in reached:
            reached.add(number)
            changing += users.get(number, ())
    own = {number: functions[number] for number in cells if number not in reached}
    if not own:
        return known
    codes = {(id(each.__globals__), each.__code__): each for each in own.values()}
    variables = {id(cell.owner): cell for number in own for cell in cells[number]}
    return Closures(
        {**known.functions, **own}, {**known.codes, **codes}, {**known.cells, **variables}
    )


def _cells(function: types.FunctionType) -> list[Cell]:
    pairs = zip(function.__closure__ or (), function.__code__.co_freevars, strict=True)
    return [Cell(cell, "contents", name) for cell, name in pairs]


def _has_own_values(function: types.FunctionType) -> bool:
    return bool(own_names(function) or function.__defaults__ or function.__kwdefaults__)


def _is_settled(value: object, functions: Container[int], atoms: Container[Any]) -> bool:
    kind = type(value)
    if kind is types.FunctionType:
        return id(value) in functions
    carried = hasattr(kind, "__autograph_carried__") or hasattr(kind, "__autograph_refers__")
    return kind in atoms or (staging.takes_part(kind) and not carried)
