"""`raise` in staged statements of a `try`, and jumps out of `finally`."""

import pytest

import autograph
import runtime as tf
from tests.runtime.control_flow.agreement import check, outcome

SIGNS = [(3,), (-3,)]


class Negative(Exception):
    pass


def caught_by_its_class(x):
    try:
        if x < 0:
            raise ValueError("negative")
        y = 1
    except ValueError:
        y = 2
    return y


def caught_by_a_base(x):
    try:
        if x < 0:
            raise ValueError("negative")
        y = 1
    except (KeyError, Exception) as error:
        y = len(error.args)
    return y


def caught_by_every_handler(x):
    try:
        for i in range(3):
            if x < i:
                raise KeyError
        y = 1
    except:  # noqa: E722
        y = 2
    return y


def caught_further_out(x):
    try:
        try:
            if x < 0:
                raise ValueError
        except KeyError:
            return 0
        y = 1
    except ValueError:
        y = 2
    return y


def own_class_caught(x):
    try:
        if x < 0:
            raise Negative
        y = 1
    except Negative:
        y = 2
    return y


CAUGHT = [
    caught_by_its_class,
    caught_by_a_base,
    caught_by_every_handler,
    caught_further_out,
    own_class_caught,
]


@pytest.mark.parametrize("program", CAUGHT, ids=lambda each: each.__name__)
def test_an_error_that_a_handler_catches_is_refused_at_its_statement(program):
    converted = autograph.to_graph(program)
    for args in SIGNS:
        assert outcome(converted, *args) == outcome(program, *args)
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError) as caught:
        tf.function(program)(tf.constant(3))
    shown = str(caught.value)
    assert "This `if` stays Python: it raises an error that an `except` around it may" in shown
    assert f'{__file__}", line' in shown


def of_another_class(x):
    try:
        if x < 0:
            raise ValueError("negative")
        y = 1
    except KeyError:
        y = 2
    return y


def in_the_handler(x):
    try:
        y = {1: 2}[3]
    except KeyError:
        if x < 0:
            raise ValueError from None
        y = 5
    return y


def with_finally_alone(x):
    seen = []
    try:
        if x < 0:
            raise ValueError("negative")
        seen.append(1)
    finally:
        seen.append(2)
    return seen


def after_the_try(x):
    try:
        y = 1
    except ValueError:
        y = 2
    if x < 0:
        raise ValueError
    return y


def returned_in_finally(x):
    try:
        if x > 0:
            return 1
    finally:
        return 2  # noqa: B012


def returned_in_try(x):
    try:
        if x > 0:
            return 1
        y = 2
    except ValueError:
        y = 3
    else:
        y = 4
    finally:
        x = 0
    return y


@pytest.mark.parametrize(
    "program",
    [
        of_another_class,
        in_the_handler,
        with_finally_alone,
        after_the_try,
        returned_in_finally,
        returned_in_try,
    ],
    ids=lambda each: each.__name__,
)
def test_an_error_that_no_handler_catches_is_staged(program):
    check(program, *SIGNS)


def positive(x):
    if x < 0:
        raise KeyError("negative")
    if x > 5:
        raise ValueError("large")
    return x


def outcome_by_handlers(function, x):
    try:
        return int(function(x))
    except ValueError:
        return "large"
    except KeyError:
        return "negative"


def test_a_handler_outside_of_graphs_catches_what_a_graph_raises():
    inner = tf.function(positive)
    outer = tf.function(lambda x: inner(x) + 1)
    found = [outcome_by_handlers(f, tf.constant(x)) for x in (3, -3, 9) for f in (inner, outer)]
    assert found == [3, 4, "negative", "negative", "large", "large"]


def test_a_handler_around_a_call_of_a_graph_is_refused_at_the_call():
    inner = tf.function(positive)
    inner(tf.constant(3))

    @tf.function
    def around(x):
        try:
            return inner(x)
        except ValueError:
            return 0

    with pytest.raises(TypeError, match=r"(?s)whether ValueError is raised here.*in around"):
        around(tf.constant(3))


def negative_is_an_error(x):
    if x < 0:
        raise ValueError("negative")
    return x


def error_of_a_callee_is_caught(x):
    try:
        return negative_is_an_error(x)
    except ValueError:
        return -x


def test_a_handler_around_a_raise_is_refused_in_a_graph_built_by_hand():
    converted = autograph.to_graph(error_of_a_callee_is_caught)
    with tf.Graph().as_default():
        x = tf.compat.v1.placeholder(tf.float32, [])
        with pytest.raises(TypeError, match="whether ValueError is raised here"):
            converted(x)


def test_a_handler_outside_of_the_converted_call_is_none_in_a_graph_built_by_hand():
    converted = autograph.to_graph(negative_is_an_error)
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        x = tf.compat.v1.placeholder(tf.float32, [])
        try:
            y = converted(x)
        except ValueError:
            y = None
        assert session.run(y, {x: 2.0}) == 2.0


def test_a_handler_that_passes_every_error_on_is_none():
    inner = tf.function(positive)

    @tf.function
    def around(x):
        try:
            return inner(x)
        except Exception:
            print("failed")
            raise

    assert outcome_by_handlers(around, tf.constant(9)) == "large"
    assert int(around(tf.constant(2))) == 2


def return_under_a_test_in_finally(x):
    try:
        y = x + 1
    finally:
        if x > 0:
            return 5  # noqa: B012
    return y


def break_under_a_test_in_finally(x):
    for _ in range(3):
        try:
            x += 1
        finally:
            if x > 2:
                break  # noqa: B012
    return x


@pytest.mark.parametrize("program", [return_under_a_test_in_finally, break_under_a_test_in_finally])
def test_a_jump_out_of_finally_is_refused_under_a_tensor(program):
    converted = autograph.to_graph(program)
    for args in SIGNS:
        assert outcome(converted, *args) == outcome(program, *args)
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match="a jump out of `finally`"):
        tf.function(program)(tf.constant(3))
