"""A bound method as an argument counts by function and instance, not by the object it is."""

import gc
import weakref

import pytest

import runtime as tf


class Scale:
    __hash__ = None

    def __init__(self, factor):
        self.factor = factor

    def __eq__(self, other):
        return isinstance(other, Scale)

    def apply(self, x):
        return x * self.factor

    def shifted(self, x):
        return x + self.factor

    @classmethod
    def doubled(cls, x):
        return 2.0 * x


def counting():
    @tf.function
    def f(g, x):
        return g(x)

    return f


def test_one_graph_for_the_same_method_of_the_same_instance():
    f, scale = counting(), Scale(2.0)
    assert [float(f(scale.apply, tf.constant(x))) for x in (1.0, 2.0, 3.0)] == [2.0, 4.0, 6.0]
    assert f.experimental_get_tracing_count() == 1


def test_class_methods_and_methods_of_c_classes_count_alike():
    f, values = counting(), [1.0, 2.0]
    for _ in range(3):
        assert float(f(Scale.doubled, tf.constant(3.0))) == 6.0
    assert f.experimental_get_tracing_count() == 1
    g = tf.function(lambda find, x: x * find(2.0))
    assert [float(g(values.index, tf.constant(x))) for x in (1.0, 2.0)] == [1.0, 2.0]
    assert g.experimental_get_tracing_count() == 1


def test_another_method_or_instance_leads_to_another_graph():
    f, scale, other = counting(), Scale(2.0), Scale(5.0)
    x = tf.constant(3.0)
    assert [float(f(g, x)) for g in (scale.apply, scale.shifted, other.apply)] == [6.0, 5.0, 15.0]
    assert f.experimental_get_tracing_count() == 3


def test_a_changed_instance_is_noticed():
    f, scale = counting(), Scale(2.0)
    assert float(f(scale.apply, tf.constant(3.0))) == 6.0
    scale.factor = 4.0
    assert float(f(scale.apply, tf.constant(3.0))) == 12.0


@pytest.mark.parametrize("structure", [lambda g: [g], lambda g: {"g": g}, lambda g: (g, 1)])
def test_inside_structures_too(structure):
    scale = Scale(2.0)
    f = tf.function(lambda held, x: x * len(held))
    for x in (1.0, 2.0):
        f(structure(scale.apply), tf.constant(x))
    assert f.experimental_get_tracing_count() == 1


def test_the_instance_is_held_weakly():
    f, scale = counting(), Scale(2.0)
    f(lambda x: x, tf.constant(1.0))
    tf.function(lambda held, x: x)(scale.apply, tf.constant(1.0))
    gone = weakref.ref(scale)
    del scale
    gc.collect()
    assert gone() is None
