"""Event files hold what TensorFlow writes: tags, steps, values and data of plugins."""

import numpy as np
import pytest

import runtime

tensorflow = pytest.importorskip("tensorflow")
events = pytest.importorskip("tests.runtime.summary.events").events

NUMBERS = np.random.default_rng(0).normal(size=100).astype(np.float32)
PIXELS = (np.add.outer(np.arange(4), np.arange(5)) / 8).astype(np.float32)[None, ..., None]
SOUND = np.sin(np.arange(200) / 10).astype(np.float32).reshape(2, 50, 2)


def in_a_function(tf):
    @tf.function
    def train(x, step):
        tf.summary.scalar("x", x * 2.0, step=step)
        with tf.summary.record_if(tf.equal(step % 2, 0)):
            tf.summary.histogram("even", tf.fill([3], x), step=step, buckets=2)
        return x

    for step in range(4):
        train(tf.constant(float(step)), tf.constant(step, tf.int64))


def in_scopes(tf):
    with tf.name_scope("outer"), tf.name_scope("inner"):
        tf.summary.scalar("x", 1.0, step=0)


PROGRAMS = [
    lambda tf: tf.summary.scalar("loss", 0.5, step=3, description="of *training*"),
    lambda tf: tf.summary.scalar("count", 7, step=np.int64(4)),
    lambda tf: tf.summary.histogram("h", NUMBERS, step=1, buckets=5, description="d"),
    lambda tf: tf.summary.histogram("h", np.arange(10), step=1),
    lambda tf: tf.summary.histogram("h", np.ones(10), step=1, buckets=3),
    lambda tf: tf.summary.histogram("h", np.ones(0), step=1, buckets=3),
    lambda tf: tf.summary.histogram("h", np.arange(4), step=1, buckets=0),
    lambda tf: tf.summary.text("t", "hello *world*", step=1),
    lambda tf: tf.summary.text("t", [["a", "b"], ["c", "d"]], step=1),
    lambda tf: tf.summary.audio("a", SOUND, 8000, step=1, max_outputs=1, description="d"),
    in_a_function,
    in_scopes,
]


def recorded(tf, directory, program):
    writer = tf.summary.create_file_writer(str(directory))
    with writer.as_default():
        program(tf)
    writer.close()
    found = events(directory)
    assert found[0].file_version == "brain.Event:2"
    for event in found:
        event.wall_time = 0
    return found[1:]


@pytest.mark.parametrize("program", PROGRAMS)
def test_events_are_those_of_tensorflow(tmp_path, program):
    ours = recorded(runtime, tmp_path / "ours", program)
    theirs = recorded(tensorflow, tmp_path / "theirs", program)
    assert ours == theirs
    assert ours


@pytest.mark.parametrize("data", [PIXELS, PIXELS * 3 - 0.5, np.uint8(PIXELS * 255)])
def test_images_are_those_of_tensorflow(tmp_path, data):
    def program(tf):
        tf.summary.image("i", np.repeat(data, 3, 0), step=1, max_outputs=2)

    (ours,) = recorded(runtime, tmp_path / "ours", program)
    (theirs,) = recorded(tensorflow, tmp_path / "theirs", program)
    one, other = (event.summary.value[0].tensor.string_val for event in (ours, theirs))
    assert one[:2] == other[:2]
    for file, expected in zip(one[2:], other[2:], strict=True):
        decoded = [tensorflow.io.decode_png(data).numpy() for data in (file, expected)]
        assert (decoded[0] == decoded[1]).all()
    del ours.summary.value[0].tensor.string_val[2:], theirs.summary.value[0].tensor.string_val[2:]
    del ours.summary.value[0].tensor.string_val[:2], theirs.summary.value[0].tensor.string_val[:2]
    assert ours == theirs
