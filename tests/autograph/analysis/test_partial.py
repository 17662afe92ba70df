"""Attributes and globals that a program may not have assigned when it reads them."""

import ast

import pytest

from autograph.analysis.partial import partial_names


def names(text):
    return set(partial_names(ast.parse(text)))


FUNCTION = "def f(x, box):\n    global seen\n    {}\n    return box.v\n"


@pytest.mark.parametrize(
    "block",
    ["if x: seen = box.v = x", "while x: seen = box.v = x", "for seen in x: box.v = seen"],
)
def test_what_a_block_alone_assigns_is_partial(block):
    assert names(FUNCTION.format(block)) == {"seen", ".v"}


def test_what_is_assigned_outside_of_blocks_is_not():
    assert names(FUNCTION.format("seen = box.v = x")) == set()
    assert names("seen = 0\n" + FUNCTION.format("if x: seen = x")) == set()


def test_what_each_instance_has_from_its_class_is_not():
    box = "class Box:\n    def __init__(self):\n        self.v = 0\n"
    use = "def f(x, box: Box):\n    if x: box.v = x\n    return box.v\n"
    assert names(use) == {".v"}
    assert names(box + use) == set()


def test_a_name_that_setattr_computes_is_none():
    text = "def f(x, box):\n    if x: setattr(box, {}, x)\n"
    assert names(text.format("'v'")) == {".v"}
    assert names(text.format("box.name")) == names(text.format("box.names[0]")) == set()
