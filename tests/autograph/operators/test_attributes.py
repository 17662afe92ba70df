"""Attributes of staged objects, and the classes that have none of their own."""

from __future__ import annotations

from typing import Any

from autograph import convert_source
from autograph.operators.attributes import is_ordinary
from autograph.operators.moved import Moved
from autograph.operators.variables import Undefined


class Plain: ...


def test_stand_ins_are_not_ordinary():
    assert is_ordinary(int) and is_ordinary(Plain)
    assert not is_ordinary(Moved) and not is_ordinary(Undefined)


def test_reads_of_attributes_are_those_of_python():
    text = """
seen = []

class Watched:
    def __getattribute__(self, name):
        seen.append(name)
        return object.__getattribute__(self, name)

    def __str__(self):
        return "watched"

def show(x):
    print(x)
    return dir(x), vars(x)
"""
    names: list[dict[str, Any]] = [{}, {}]
    for each, source in zip(names, (text, convert_source(text)), strict=True):
        exec(source, each)
        each["show"](each["Watched"]())
    assert names[1]["seen"] == names[0]["seen"] == ["__dict__", "__class__", "__dict__"]
