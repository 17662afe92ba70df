import dataclasses
import logging
import traceback

import numpy as np
import pytest

import runtime as tf


@dataclasses.dataclass
class Config:
    size: int


class Thing:
    pass


@pytest.mark.parametrize(
    ("first", "second", "text"),
    [
        (tf.zeros([3]), tf.zeros([4]), "`x`: float32[3] -> float32[4] (reduce_retracing=True"),
        (tf.zeros([3]), tf.constant([1]), "`x`: float32[3] -> int32[1] (pass tensors of one"),
        (1, 2, "`x`: 1 -> 2 (pass a tensor"),
        ("a", "b", "`x`: 'a' -> 'b'"),
        (Thing(), Thing(), "`x`: <Thing object> -> <Thing object> (another object"),
        ([1, {"k": 2}], [1, {"k": 3}], "`x[1]['k']`: 2 -> 3"),
        (Config(1), Config(2), "`x['size']`: 1 -> 2"),
        ([1], [1, 2], "`x[1]`: another structure"),
    ],
)
def test_cause(first, second, text, caplog):
    f = tf.function(lambda x: tf.constant(0), autograph=False)
    with caplog.at_level(logging.INFO, "runtime.function"):
        f(first)
        assert not caplog.messages
        f(second)
    assert len(caplog.messages) == 1
    assert text in caplog.messages[0]


def test_warning_if_there_are_many(caplog):
    f = tf.function(lambda x, n: x, autograph=False)
    for n in range(12):
        f(tf.constant(1), n)
    warnings = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert len(warnings) == 2
    assert "5 out of the last 5 calls to <function" in warnings[0]
    assert "triggered tf.function retracing" in warnings[0]
    assert "`n`: 3 -> 4" in warnings[0]
    assert "10 out of the last 10 calls" in warnings[1]


def test_the_most_similar_call_is_the_one_that_is_compared():
    f = tf.function(lambda x, n: x, autograph=False)
    f(tf.constant(1), 1)
    f(tf.constant(1.0), 2)
    f(tf.constant(1.0), 3)
    assert f._retraces.last == [
        "`n`: 2 -> 3 (pass a tensor where the value need not decide the graph)"
    ]


def shapes_seen(**options):
    """A function and the shapes for which it was recorded."""
    seen = []

    @tf.function(**options)
    def total(x):
        seen.append(x.shape)
        return tf.reduce_sum(x)

    return total, seen


def test_a_graph_for_unknown_dimensions_runs_for_the_shapes_that_it_includes():
    total, seen = shapes_seen()
    total.get_concrete_function(tf.TensorSpec([None], tf.float32))
    assert [float(total(tf.ones([n]))) for n in (2, 3, 2)] == [2.0, 3.0, 2.0]
    assert seen == [tf.TensorShape([None])]


def test_a_graph_for_unknown_dimensions_runs_for_no_other_rank_or_dtype():
    total, seen = shapes_seen()
    total.get_concrete_function(tf.TensorSpec([None], tf.float32))
    total(tf.ones([2, 2]))
    total(tf.ones([2], tf.int32))
    assert [shape.as_list() for shape in seen] == [[None], [2, 2], [2]]


def test_of_several_graphs_the_one_that_knows_most_of_the_shape_runs():
    total, seen = shapes_seen()
    narrow = total.get_concrete_function(tf.TensorSpec([None, 2], tf.float32))
    general = total.get_concrete_function(tf.TensorSpec(None, tf.float32))
    total(tf.ones([3]))
    assert total.get_concrete_function(tf.TensorSpec([5, 2], tf.float32)) is narrow
    assert total.get_concrete_function(tf.TensorSpec([5], tf.float32)) is general
    assert len(seen) == 2


def test_a_graph_of_its_own_goes_before_a_general_one():
    total, _ = shapes_seen()
    own = total.get_concrete_function(tf.TensorSpec([2], tf.float32))
    total.get_concrete_function(tf.TensorSpec([None], tf.float32))
    assert total.get_concrete_function(tf.TensorSpec([2], tf.float32)) is own


def test_a_general_graph_is_recorded_again_once_what_it_read_has_changed():
    class Settings:
        factor = 2.0

    settings = Settings()

    @tf.function
    def scaled(x):
        return x * settings.factor

    scaled.get_concrete_function(tf.TensorSpec([None], tf.float32))
    assert scaled(tf.ones([1])).numpy().tolist() == [2.0]
    settings.factor = 3.0
    assert scaled(tf.ones([1])).numpy().tolist() == [3.0]
    assert scaled(tf.ones([2])).numpy().tolist() == [3.0, 3.0]


def test_replaced_code_of_the_function_leads_to_a_new_graph():
    def plus_one(x):
        return x + 1

    def times_ten(x):
        return x * 10

    program = tf.function(plus_one)
    assert int(program(tf.constant(3))) == 4
    plus_one.__code__ = times_ten.__code__
    assert int(program(tf.constant(3))) == 30
    assert program.experimental_get_tracing_count() == 2


def test_replaced_code_of_a_function_that_is_called_leads_to_a_new_graph():
    rows = [1, 2]

    def counts(x):
        return x + len(rows)

    program = tf.function(lambda x: counts(x))
    assert int(program(tf.constant(3))) == 5
    counts.__code__ = (lambda x: x + len(rows) * 100).__code__
    assert int(program(tf.constant(3))) == 203


def test_replaced_code_of_a_function_that_is_not_called_keeps_the_graph():
    def unused(x):
        return x

    program = tf.function(lambda x: x + 1)
    assert int(program(tf.constant(3))) == 4
    unused.__code__ = (lambda x: -x).__code__
    assert int(program(tf.constant(3))) == 4
    assert program.experimental_get_tracing_count() == 1


def returns_a_wide_int(x):
    return x, 10**20


def returns_a_wide_list(x):
    wide = [x, -(10**20)]
    if x > 0:
        wide[0] = 1
    return wide


@pytest.mark.parametrize("function", [returns_a_wide_int, returns_a_wide_list])
def test_a_returned_value_without_a_tensor_is_an_error_with_the_line_of_the_return(function):
    with pytest.raises((TypeError, ValueError)) as caught:
        tf.function(function)(tf.constant(3))
    text = "\n".join([str(caught.value), *getattr(caught.value, "__notes__", ())])
    assert "test_tracing.py" in text and function.__name__ in text


def test_an_exception_of_the_function_itself_gets_no_line_of_the_return():
    @tf.function
    def f(x):
        raise ValueError("no")

    with pytest.raises(ValueError, match="no") as caught:
        f(tf.constant(3))
    assert not getattr(caught.value, "__notes__", ())


@pytest.mark.parametrize("limit", [0.0, None])
def test_a_refusal_that_a_library_made_its_own_error_keeps_its_line(limit):
    @tf.function
    def put(x):
        row = np.zeros(2)
        if limit is not None and x <= limit:  # the graph may raise another error before
            raise ValueError("too small")
        row[0] = x  # refused
        return row

    with pytest.raises((TypeError, ValueError)) as info:
        put(tf.constant(2.0))
    shown = "".join(traceback.format_exception(info.value))
    assert "row[0] = x  # refused" in shown
    assert "Python's `float()` asks for it" in shown
