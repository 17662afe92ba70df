"""Truth and length of objects, by the methods of their classes."""

from __future__ import annotations

from typing import Any

import pytest

import runtime as tf


class Answers:
    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def __bool__(self) -> Any:
        return self.answer


@pytest.mark.parametrize("answer", [3, 0, 2.5])
def test_truth_of_an_object_is_no_number(answer: Any) -> None:
    def f(x: Any) -> Any:
        return 1 if Answers(x) else 2

    for argument, function in ((answer, f), (tf.constant(answer), tf.function(f))):
        with pytest.raises(TypeError, match="__bool__ should return bool"):
            function(argument)


def answers(kind):
    """A traced function that asks an object of the class for its truth, length and sum."""
    held = kind()

    @tf.function
    def ask(x):
        truth = 1 if held else 0
        return x + truth, len(held), held + 1

    return lambda: tuple(int(each) for each in ask(tf.constant(10)))


def new_class():
    class Held:
        def __len__(self):
            return 3

        def __add__(self, other):
            return other + 5

    return Held


def test_a_special_method_that_a_class_gets_is_called():
    kind = new_class()
    ask = answers(kind)
    assert ask() == (11, 3, 6)
    kind.__bool__ = lambda self: False
    assert ask() == (10, 3, 6)
    del kind.__bool__
    assert ask() == (11, 3, 6)


def test_a_special_method_that_is_replaced_is_called():
    kind = new_class()
    ask = answers(kind)
    assert ask() == (11, 3, 6)
    kind.__len__ = lambda self: 0
    kind.__add__ = lambda self, other: other + 7
    assert ask() == (10, 0, 8)


def test_a_class_that_stays_as_it_is_needs_one_graph():
    held = new_class()()

    @tf.function
    def ask(x):
        return x + len(held)

    for _ in range(3):
        ask(tf.constant(1))
    assert ask.experimental_get_tracing_count() == 1
