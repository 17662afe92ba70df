"""Attributes of staged objects, and the classes that have none of their own."""

from __future__ import annotations

from autograph.operators.attributes import is_ordinary
from autograph.operators.moved import Moved
from autograph.operators.variables import Undefined


class Plain: ...


def test_stand_ins_are_not_ordinary():
    assert is_ordinary(int) and is_ordinary(Plain)
    assert not is_ordinary(Moved) and not is_ordinary(Undefined)
