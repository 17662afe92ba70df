"""A change that a graph cannot make is shown at the line that makes it."""

import warnings

import pytest

import runtime as tf
from autograph.errors import SideEffectWarning
from autograph.writes import only_appends, reads_attribute

X = tf.constant(1.0)
LOG = []


def counted(function):
    return tf.function(function, autograph=False)


ONE = tf.constant(1.0)


@pytest.mark.parametrize(
    "change",
    [
        lambda held, x: held.append(x),
        lambda held, x: held.__setitem__(0, x),
        lambda held, x: held[1].update(k=x),
    ],
)
def test_change_of_an_argument_that_would_be_lost_is_refused(change):
    def f(held, x):
        change(held, x)
        return x

    with pytest.raises(ValueError, match=r"should not modify .* its argument `held` in place"):
        counted(f)([ONE, {"k": ONE}], tf.constant(2.0))


def warned(function, *arguments):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function(*arguments)
    return [each for each in caught if each.category is SideEffectWarning]


def test_a_change_by_an_unknown_line_is_told_at_the_definition():
    put = LOG.append

    def program(x):
        put(1)
        return x

    (told,) = warned(tf.function(program), X)
    assert told.lineno == program.__code__.co_firstlineno


def test_a_variable_of_an_enclosing_function():
    traces = 0

    def program(x):
        nonlocal traces
        traces += 1
        return x

    (told,) = warned(tf.function(program), X)
    assert "the variable `traces` of an enclosing function: 0 -> 1" in str(told.message)
    assert told.lineno == program.__code__.co_firstlineno + 2
    assert traces == 1


@pytest.mark.parametrize(
    "reads",
    [
        lambda held: held.calls,
        lambda held: getattr(held, "calls"),  # noqa: B009
        lambda held: [each.calls for each in held],
    ],
)
def test_function_that_may_read_an_attribute(reads):
    assert reads_attribute([reads], "calls")
    assert not reads_attribute([reads], "rate")


def test_assignment_of_an_attribute_does_not_read_it():
    def assigns(held):
        held.calls = 1
        held.total += 1

    assert not reads_attribute([assigns], "calls")
    assert reads_attribute([assigns], "total")


def test_function_without_a_text_may_read_what_it_names():
    space = {}
    exec("def assigns(held):\n    held.calls = 1", space)
    assert reads_attribute([space["assigns"]], "calls")
    assert not reads_attribute([space["assigns"]], "total")


def appends(model, x):
    model.log.append(x)
    model.tables["k"][0].extend([x])


def appends_and_measures(model, x):
    model.log.append(len(model.log))


def keeps_what_append_returns(model, x):
    return model.log.append(x)


def assigns(model, x):
    model.log = [x]


def asks_by_name(model):
    return getattr(model, "log")  # noqa: B009


def goes_without(model, log):
    return model.rows


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (appends, True),
        (goes_without, True),
        (appends_and_measures, False),
        (keeps_what_append_returns, False),
        (assigns, False),
        (asks_by_name, False),
    ],
)
def test_whether_a_function_only_appends_to_a_list(function, expected):
    assert only_appends([function], "log") is expected


def test_function_without_a_text_may_do_anything_with_the_names_that_it_has():
    untold = eval("lambda model: model.log.append(1)")
    assert not only_appends([untold], "log") and only_appends([untold], "rows")
