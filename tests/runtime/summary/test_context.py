"""Defaults of summaries: the writer, the step and the condition."""

import threading

import pytest

import runtime as tf
from tests.runtime.summary.events import scalars

pytest.importorskip("tensorboard")


def test_nothing_is_written_without_a_writer():
    assert not tf.summary.scalar("loss", 0.5, step=1)
    assert not tf.summary.scalar("loss", 0.5)
    assert not tf.summary.should_record_summaries()


def test_a_summary_needs_a_step(writer):
    with (
        writer.as_default(),
        pytest.raises(ValueError, match=r"'loss' has no step: .*as_default"),
    ):
        tf.summary.scalar("loss", 0.5)
    with writer.as_default(), tf.summary.record_if(False):
        assert not tf.summary.scalar("loss", 0.5)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (True, True),
        (False, False),
        (tf.constant(True), True),
        (tf.Variable(False), False),
        (lambda: tf.equal(1, 1), True),
        (lambda: False, False),
    ],
)
def test_conditions(writer, tmp_path, condition, expected):
    with writer.as_default(), tf.summary.record_if(condition):
        assert bool(tf.summary.should_record_summaries()) is expected
        assert bool(tf.summary.scalar("loss", 0.5, step=1)) is expected
    assert len(scalars(tmp_path)) == expected


def test_a_condition_is_asked_for_each_summary(writer, tmp_path):
    step = tf.Variable(0, dtype=tf.int64)
    with writer.as_default(), tf.summary.record_if(lambda: step % 2 == 0):
        for _ in range(4):
            tf.summary.scalar("loss", 0.5, step=step)
            step.assign_add(1)
    assert [at for at, *_ in scalars(tmp_path)] == [0, 2]


def test_steps(writer, tmp_path):
    counter = tf.Variable(5, dtype=tf.int64)
    with writer.as_default(step=1):
        tf.summary.scalar("a", 0.0)
        with writer.as_default(step=counter):
            tf.summary.scalar("a", 1.0)
            counter.assign_add(2)
            tf.summary.scalar("a", 2.0)
        tf.summary.scalar("a", 3.0, step=tf.constant(9))
    assert [step for step, *_ in scalars(tmp_path)] == [1, 5, 7, 9]


def test_the_default_step_holds_until_it_is_set_anew(writer, tmp_path):
    counter = tf.Variable(5, dtype=tf.int64)

    @tf.function
    def write():
        tf.summary.scalar("a", 0.0)

    tf.summary.experimental.set_step(counter)
    assert tf.summary.experimental.get_step() is counter
    with writer.as_default():
        write()
        counter.assign_add(2)
        write()
        with writer.as_default(step=1):
            write()
    tf.summary.experimental.set_step(None)
    assert tf.summary.experimental.get_step() is None
    assert [step for step, *_ in scalars(tmp_path)] == [5, 7, 1]


def test_the_default_step_is_not_set_in_a_graph():
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match="set_step acts while"):
        tf.function(lambda: tf.summary.experimental.set_step(1))()


def test_name_scopes_are_part_of_the_tag(writer, tmp_path):
    with writer.as_default(), tf.name_scope("layer"):
        tf.summary.scalar("loss", 0.5, step=1)
    assert scalars(tmp_path) == [(1, "layer/loss", 0.5)]


def test_a_default_belongs_to_its_thread(writer):
    found = []
    record = lambda: found.append(bool(tf.summary.scalar("a", 1.0, step=1)))  # noqa: E731
    writer.set_as_default()
    thread = threading.Thread(target=record)
    thread.start()
    thread.join()
    record()
    assert found == [False, True]
