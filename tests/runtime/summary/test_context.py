"""Defaults of summaries: the writer and the step."""

import threading

import pytest

import runtime as tf
from tests.runtime.summary.events import scalars

pytest.importorskip("tensorboard")


def test_nothing_is_written_without_a_writer():
    assert not tf.summary.scalar("loss", 0.5, step=1)
    assert not tf.summary.scalar("loss", 0.5)


def test_a_summary_needs_a_step(writer):
    with (
        writer.as_default(),
        pytest.raises(ValueError, match=r"'loss' has no step: .*as_default"),
    ):
        tf.summary.scalar("loss", 0.5)


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


def test_the_default_step_is_read_when_a_function_runs(writer, tmp_path):
    counter = tf.Variable(5, dtype=tf.int64)

    @tf.function
    def write():
        tf.summary.scalar("a", 0.0)

    with writer.as_default(step=counter):
        write()
        counter.assign_add(2)
        write()
        with writer.as_default(step=1):
            write()
    assert [step for step, *_ in scalars(tmp_path)] == [5, 7, 1]


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
