"""Comparisons that `dataclasses` generates, written as text that the converter can read."""

from __future__ import annotations

import dataclasses
import itertools
import sys
from types import FunctionType
from typing import Any

from autograph.code_objects import does_same
from autograph.conversion.class_facts import dictionary_of
from autograph.texts import GENERATED, register_text

_numbers = itertools.count(1)
_SIGNS = {"__eq__": "==", "__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}


def write_comparisons(kind: type) -> None:
    """Give the comparisons that `dataclasses` generated for a class code with a known text.

    They do the same. A class with comparisons of its own, or without generated ones, keeps them.

    >>> @dataclasses.dataclass
    ... class Point:
    ...     x: int
    >>> write_comparisons(Point)
    >>> Point(1) == Point(1), Point(1) == Point(2), Point(1) == 1
    (True, False, False)
    """
    own = dictionary_of(kind)
    if "__dataclass_fields__" not in own:
        return
    fields: Any = own["__dataclass_fields__"].values()
    names = [each.name for each in fields if each.compare and each in dataclasses.fields(kind)]
    # Without `__init__`, which refuses a field after one that all classes have, as `__module__`.
    made = dataclasses.make_dataclass("Generated", names, init=False, order=True)
    generated = dictionary_of(made)
    for name, sign in _SIGNS.items():
        function = own.get(name)
        if type(function) is FunctionType and does_same(
            function.__code__, generated[name].__code__
        ):
            space: dict[str, Any] = {}
            text = _text(name, sign, names)
            filename = register_text(text, f"{GENERATED}{next(_numbers)}>")
            exec(compile(text, filename, "exec", dont_inherit=True), space)
            function.__code__ = space[name].__code__


def _text(name: str, sign: str, names: list[str]) -> str:
    """Return the text of a comparison of all fields, with the order of tests of this Python."""
    left, right = (f"({''.join(f'{side}.{each}, ' for each in names)})" for side in _SIDES)
    test = f"{left} {sign} {right}"
    first = ""
    if sign == "==" and sys.version_info >= (3, 13):
        first = "    if self is other:\n        return True\n"
        test = " and ".join(f"self.{each} == other.{each}" for each in names) or "True"
    return (
        f"def {name}(self, other):\n"
        f"{first}"
        "    if other.__class__ is self.__class__:\n"
        f"        return {test}\n"
        "    return NotImplemented\n"
    )


_SIDES = ("self", "other")
