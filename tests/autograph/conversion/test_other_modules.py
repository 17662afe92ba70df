"""Attributes that a branch in another module of the program assigns."""

import importlib
import sys

import pytest

import runtime as tf
from autograph.conversion.other_modules import partial_elsewhere

BOXES = """
class Box:
    def put(self, x):
        if x > 0:
            self.held = x
"""
SHELVES = """
from boxes_of_a_program import Box as Kept

def filled(x):
    box = Kept()
    box.put(x)
    return box
"""
PROGRAM = """
import shelves_of_a_program

def unused(x):
    box = shelves_of_a_program.filled(x)
    held = box.held
    return x

def returned(x):
    box = shelves_of_a_program.filled(x)
    y = x + 1
    return box.held
"""


@pytest.fixture
def program(tmp_path, monkeypatch):
    texts = {"boxes": BOXES, "shelves": SHELVES, "program": PROGRAM}
    for name, text in texts.items():
        (tmp_path / f"{name}_of_a_program.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("program_of_a_program")
    for name in texts:
        sys.modules.pop(f"{name}_of_a_program", None)


def test_modules_are_found_through_others(program):
    assert partial_elsewhere(vars(program)) == {".held"}


@pytest.mark.parametrize(("name", "line"), [("unused", 6), ("returned", 12)])
def test_the_attribute_is_checked_where_it_is_read(program, name, line):
    function = getattr(program, name)
    staged = tf.function(function)
    assert staged(tf.constant(3)).numpy() == function(3)
    with pytest.raises(AttributeError):
        function(-3)
    with pytest.raises(AttributeError, match=r"'self\.held' has no value") as raised:
        staged(tf.constant(-3))
    assert f"line {line}, in {name}" in raised.value.__notes__[0]


def test_libraries_are_not_asked():
    assert partial_elsewhere({"importlib": importlib, "pytest": pytest, "tf": tf}) == frozenset()


def test_globals_are_not_asked_for_what_they_are():
    class Odd(type):
        __module__ = property(lambda cls: [])

    assert partial_elsewhere({"odd": Odd("Kind", (), {}), "number": 1}) == frozenset()
