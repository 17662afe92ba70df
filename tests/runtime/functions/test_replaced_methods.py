"""Special methods that a class gets or loses after a trace lead to a new graph."""

import runtime as tf


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
