"""New bases of a class, and classes registered at abstract ones, lead to a new graph."""

import abc
import logging

import pytest

import runtime as tf

ONE = tf.constant(1)


class Low:
    def get(self):
        return 1


class High:
    def get(self):
        return 2


class Other(Low):
    """Is no part of any program here."""


class Kept(Low):
    pass


class Replaced(Low):
    pass


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self):
        """Classes are registered here."""


class Unused(abc.ABC):
    @abc.abstractmethod
    def area(self):
        """So they are here."""


class Circle:
    pass


CIRCLE = Circle()


def traces(function):
    return function.experimental_get_tracing_count()


def test_new_bases_of_a_class_are_seen():
    held = Replaced()

    @tf.function
    def program(x):
        return x + held.get() + isinstance(held, High)

    assert program(ONE) == 2 and program(ONE) == 2 and traces(program) == 1
    Replaced.__bases__ = (High,)
    assert program(ONE) == 4 and traces(program) == 2


def test_a_replacement_is_named(caplog):
    @tf.function
    def program(x):
        return x + Replaced().get()

    Replaced.__bases__ = (Low,)
    with caplog.at_level(logging.INFO, "runtime.function"):
        program(ONE)
        Replaced.__bases__ = (High,)
        program(ONE)
    assert "the bases of `Replaced` were replaced" in caplog.messages[-1]


def test_new_bases_of_another_class_lead_to_no_new_graph():
    @tf.function
    def program(x):
        return x + Kept().get()

    program(ONE)
    Other.__bases__ = (High,)
    program(ONE)
    assert traces(program) == 1


def test_a_registered_class_is_seen():
    @tf.function
    def program(x):
        return x + 5 if isinstance(CIRCLE, Shape) else x

    assert program(ONE) == 1
    Shape.register(Circle)
    assert program(ONE) == 6 and traces(program) == 2
    assert program(ONE) == 6 and traces(program) == 2


def test_a_class_registered_elsewhere_leads_to_no_new_graph():
    @tf.function
    def program(x):
        return x + Kept().get()

    program(ONE)
    Unused.register(Other)
    program(ONE)
    assert traces(program) == 1


class NoHash(type):
    def __eq__(cls, other):
        return cls is other


class Thing(metaclass=NoHash):
    def __init__(self, n):
        self.n = n

    def get(self, k):
        return self.n + k if k > 0 else k


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (lambda x: Thing(1).get(x), ()),
        (lambda x: [Thing(1)][0].get(x), ()),
        (lambda x, t: t.get(x), (Thing(1),)),
        (lambda x: Thing(x), ()),
    ],
)
def test_an_object_of_a_class_without_a_hash_is_refused_with_the_cause(function, arguments):
    with pytest.raises(TypeError, match="the metaclass has `__eq__` and no `__hash__`"):
        tf.function(function)(ONE, *arguments)
