"""Attributes that one way through a staged statement makes or deletes."""

import pytest

import autograph
import runtime as tf


class Box:
    shown = 10


class Slotted:
    __slots__ = ("value",)


def made(x):
    box = Box()
    if x > 0:
        box.value = x
    return box


def deleted(x):
    box = Box()
    box.value = x
    if x <= 0:
        del box.value
    return box


def slot(x):
    box = Slotted()
    if x > 0:
        box.value = x
    return box


def made_in_a_loop(x):
    box = Box()
    for i in range(x):
        box.value = i * 0 + x
    return box


WAYS = [made, deleted, slot, made_in_a_loop]


@pytest.mark.parametrize("x", [-3, 3])
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_hasattr_and_a_default_ask_when_the_program_runs(way, x):
    def ask(x):
        box = way(x)
        return hasattr(box, "value"), getattr(box, "value", 7)

    has, value = tf.function(ask)(tf.constant(x))
    assert (bool(has), int(value)) == ((True, 3) if x > 0 else (False, 7))


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_reading_what_is_not_there_is_an_attribute_error(way):
    read = tf.function(lambda x: way(x).value + 1)
    assert int(read(tf.constant(3))) == 4
    with pytest.raises(AttributeError, match="value"):
        read(tf.constant(-3))


def test_without_its_own_an_object_shows_the_attribute_of_its_class():
    def read(x):
        box = Box()
        box.shown = 1
        if x > 0:
            del box.shown
        return box.shown

    staged = tf.function(read)
    assert [int(staged(tf.constant(x))) for x in (3, -3)] == [10, 1]


@pytest.mark.parametrize("ask", [vars, dir])
def test_what_attributes_there_are_is_refused(ask):
    def count(x):
        return len(ask(made(x)))

    with pytest.raises(TypeError, match=r"whether `Box.value` has a value depends"):
        tf.function(count)(tf.constant(1))


def test_attributes_that_are_always_there_stay_python():
    box = Box()
    box.value = 1
    assert tf.function(lambda x: x + len(vars(box)))(tf.constant(1)).numpy() == 2


class Computing:
    """An object that computes the attributes it does not have."""

    def __getattr__(self, name):
        return 42


def read_computed(x):
    box = Computing()
    if x > 0:
        box.value = x
    return box.value


def computed_later(x):
    box = Computing()
    y = 0
    for i in range(x):
        box.value = i
    if x > 5:
        y = box.value
    return y


def handled(x):
    box = made(x)
    try:
        return box.value
    except AttributeError:
        return -1


def handled_among_others(x):
    box = deleted(x)
    try:
        y = box.value
    except (KeyError, AttributeError):
        y = -1
    return y


def handled_by_the_caller(x):
    try:
        return made(x).value * 2
    except AttributeError:
        return -1


@pytest.mark.parametrize("x", [-3, 3])
@pytest.mark.parametrize(
    "program",
    [read_computed, computed_later, handled, handled_among_others, handled_by_the_caller],
    ids=lambda program: program.__name__,
)
def test_what_depends_on_a_missing_attribute_is_refused(program, x):
    with pytest.raises(TypeError, match="a staged statement decides whether"):
        tf.function(program)(tf.constant(x))
    assert autograph.to_graph(program)(x) == program(x)


@pytest.mark.parametrize("x", [-3, 3])
def test_attributes_that_every_way_makes_need_no_hook_and_no_handler(x):
    def program(x):
        box = Computing()
        if x > 0:
            box.value = x
        else:
            box.value = -x
        try:
            return box.value + box.other
        except AttributeError:
            return -1

    assert int(tf.function(program)(tf.constant(x))) == program(x) == 45


def test_a_missing_attribute_that_is_returned_raises_where_it_is_read():
    def program(x):
        box = Box()
        if x > 0:
            box.value = x
        return box.value

    with pytest.raises(AttributeError) as caught:
        tf.function(program)(tf.constant(-3))
    line = program.__code__.co_firstlineno + 4
    assert f"line {line}, in program" in caught.value.__notes__[0]
