"""Summaries: values in event files, and those of functions."""

import io
import wave

import numpy as np
import pytest

import runtime as tf
from tests.runtime.summary.events import events, scalars, values

image_files = pytest.importorskip("PIL.Image")


def written(writer, tmp_path, program):
    with writer.as_default():
        program()
    return values(tmp_path)


class TestValues:
    @pytest.mark.parametrize(
        ("data", "expected"),
        [(0.5, 0.5), (7, 7.0), (np.float64(0.1), np.float32(0.1)), (True, 1.0)],
    )
    def test_scalars(self, writer, tmp_path, data, expected):
        ((step, tag, plugin, value),) = written(
            writer, tmp_path, lambda: tf.summary.scalar("loss", data, step=3)
        )
        assert (step, tag, plugin) == (3, "loss", "scalars")
        assert value.dtype == np.float32
        assert value == expected

    @pytest.mark.parametrize(
        ("data", "buckets", "expected"),
        [
            ([0, 1, 2, 3, 4], 2, [[0, 2, 2], [2, 4, 3]]),
            ([5.0, 5.0], 3, [[5, 5, 0], [5, 5, 0], [5, 5, 2]]),
            ([[1], [3]], 1, [[1, 3, 2]]),
            ([], 2, [[0, 0, 0], [0, 0, 0]]),
            ([1.0], 0, np.zeros((0, 3))),
        ],
    )
    def test_histograms(self, writer, tmp_path, data, buckets, expected):
        program = lambda: tf.summary.histogram("h", data, step=0, buckets=buckets)  # noqa: E731
        ((_, _, plugin, value),) = written(writer, tmp_path, program)
        assert plugin == "histograms"
        np.testing.assert_array_equal(value, expected)

    def test_histograms_have_thirty_buckets_with_all_numbers(self, writer, tmp_path):
        data = np.random.default_rng(0).normal(size=1000)
        ((*_, value),) = written(writer, tmp_path, lambda: tf.summary.histogram("h", data, step=0))
        assert value.shape == (30, 3)
        assert value[:, 2].sum() == 1000
        assert (value[1:, 0] == value[:-1, 1]).all()
        assert (value[0, 0], value[-1, 1]) == (data.min(), data.max())

    @pytest.mark.parametrize("dtype", ["float32", "uint8"])
    def test_images(self, writer, tmp_path, dtype):
        pixels = np.uint8(np.arange(5 * 4 * 3 * 3).reshape(5, 4, 3, 3) % 251)
        data = pixels if dtype == "uint8" else pixels / np.float32(255)
        program = lambda: tf.summary.image("digits", data, step=1, max_outputs=2)  # noqa: E731
        ((_, _, plugin, value),) = written(writer, tmp_path, program)
        assert plugin == "images"
        assert value[:2].tolist() == [b"3", b"4"]
        assert len(value) == 4
        for file, expected in zip(value[2:], pixels, strict=False):
            assert (np.asarray(image_files.open(io.BytesIO(file))) == expected).all()

    def test_texts(self, writer, tmp_path):
        def program():
            tf.summary.text("note", "**done**", step=1)
            tf.summary.text("table", [["a", "b"]], step=1)

        (_, _, plugin, note), (_, _, _, table) = written(writer, tmp_path, program)
        assert plugin == "text"
        assert note == b"**done**"
        assert table.tolist() == [[b"a", b"b"]]

    def test_sound(self, writer, tmp_path):
        data = np.float32([[[0.0, 1.0], [0.5, -1.0], [-0.5, 2.0]]])
        ((_, _, plugin, value),) = written(
            writer, tmp_path, lambda: tf.summary.audio("beep", data, 8000, step=1)
        )
        assert plugin == "audio"
        assert value.shape == (1, 2)
        with wave.open(io.BytesIO(value[0, 0])) as file:
            assert file.getframerate() == 8000
            assert file.getnchannels() == 2
            frames = np.frombuffer(file.readframes(3), "<i2").reshape(3, 2)
        assert frames.tolist() == [[0, 32767], [16384, -32768], [-16384, 32767]]

    def test_descriptions(self, writer, tmp_path):
        with writer.as_default():
            tf.summary.scalar("loss", 1.0, step=9, description="of *training*")
        metadata = events(tmp_path)[-1].summary.value[0].metadata
        assert metadata.summary_description == "of *training*"

    @pytest.mark.parametrize(
        ("program", "words"),
        [
            (lambda: tf.summary.scalar("a", [1.0], step=1), "Expected scalar shape"),
            (lambda: tf.summary.scalar("a", "b", step=1), "real numbers, .* summary.text"),
            (lambda: tf.summary.scalar("a", 1j, step=1), "real numbers"),
            (lambda: tf.summary.histogram("a", ["b"], step=1), "real numbers"),
            (lambda: tf.summary.audio("a", np.full((1, 2, 1), np.nan), 8, step=1), "are NaN"),
            (lambda: tf.summary.histogram("a", [1.0, np.nan], step=1), "finite numbers"),
            (lambda: tf.summary.image("a", np.zeros((4, 4, 1)), step=1), "height, width, chan"),
            (lambda: tf.summary.image("a", np.zeros((1, 4, 4, 5)), step=1), "1 or 2 or 3 or 4"),
            (lambda: tf.summary.text("a", 3, step=1), "is of strings|needs strings"),
            (lambda: tf.summary.audio("a", np.zeros((4, 1)), 8, step=1), "frames, channels"),
        ],
    )
    def test_data_that_does_not_fit(self, writer, program, words):
        with writer.as_default(), pytest.raises(tf.errors.InvalidArgumentError, match=words):
            program()

    def test_other_arguments_are_refused(self, writer):
        with pytest.raises(ValueError, match="Unknown encoding: 'mp3'"):
            tf.summary.audio("a", np.zeros((1, 4, 1)), 8, step=1, encoding="mp3")
        for step in (0.5, [1, 2], "a"):
            with pytest.raises(TypeError, match="A step is one integer, not"):
                tf.summary.scalar("a", 1.0, step=step)
        with pytest.raises(TypeError, match="The name of a summary is text, not 3"):
            tf.summary.scalar(3, 1.0, step=1)
        with pytest.raises(ValueError, match="`buckets` must be 0 or more, not -1"):
            tf.summary.histogram("a", [1.0], step=1, buckets=-1)
        with pytest.raises(tf.errors.FailedPreconditionError, match="/dev/null/logs"):
            tf.summary.create_file_writer("/dev/null/logs")


class TestInFunctions:
    def test_each_run_writes(self, writer, tmp_path):
        @tf.function
        def train(x, step):
            tf.summary.scalar("loss", x * 2.0, step=step)
            return x + 1.0

        with writer.as_default():
            for step in range(3):
                train(tf.constant(float(step)), tf.constant(step, tf.int64))
        assert scalars(tmp_path) == [(0, "loss", 0.0), (1, "loss", 2.0), (2, "loss", 4.0)]
        assert train.experimental_get_tracing_count() == 1

    def test_the_writer_is_that_of_the_run(self, writer, tmp_path):
        other = tf.summary.create_file_writer(tmp_path / "other")

        @tf.function
        def note(x):
            return tf.summary.scalar("x", x, step=1)

        assert not note(tf.constant(1.0))
        with writer.as_default():
            assert note(tf.constant(2.0))
        with other.as_default(), tf.summary.record_if(False):
            assert not note(tf.constant(3.0))
        with other.as_default():
            assert note(tf.constant(4.0))
        assert scalars(tmp_path) == [(1, "x", 2.0)]
        assert scalars(tmp_path / "other") == [(1, "x", 4.0)]
        other.close()

    def test_staged_branches_and_loops(self, writer, tmp_path):
        @tf.function
        def count(n):
            total = 0
            for i in tf.range(n):
                total += i
                if i % 2 == 0:
                    tf.summary.scalar("total", total, step=i)
                if i == 5:
                    break
            return total

        with writer.as_default():
            assert int(count(tf.constant(100))) == 15
        assert scalars(tmp_path) == [(0, "total", 0.0), (2, "total", 3.0), (4, "total", 10.0)]

    def test_a_condition_inside(self, writer, tmp_path):
        @tf.function
        def train(x, step):
            with tf.summary.record_if(step % 2 == 0):
                tf.summary.scalar("even", x, step=step)
                recorded = tf.summary.should_record_summaries()
            tf.summary.scalar("all", x, step=step)
            return recorded

        with writer.as_default():
            found = [bool(train(tf.constant(1.0), tf.constant(i, tf.int64))) for i in range(3)]
        assert found == [True, False, True]
        assert [tag for _, tag, _ in scalars(tmp_path)] == ["even", "all", "all", "even", "all"]

    def test_a_condition_inside_is_for_loops_and_calls(self, writer, tmp_path):
        @tf.function
        def inner(x):
            tf.summary.scalar("inner", x)

        @tf.function
        def train(n):
            for i in tf.range(n):
                with tf.summary.record_if(i % 2 == 0):
                    tf.summary.scalar("loop", i, step=i)
            with tf.summary.record_if(n > 3):
                inner(n)

        with writer.as_default(step=9):
            train(tf.constant(3))
            train(tf.constant(4))
        found = [(step, tag) for step, tag, _ in scalars(tmp_path)]
        assert found == [*[(0, "loop"), (2, "loop")] * 2, (9, "inner")]

    def test_a_variable_that_the_function_changes_is_the_step(self, writer, tmp_path):
        step = tf.Variable(0, dtype=tf.int64)

        @tf.function
        def train():
            for _ in tf.range(3):
                tf.summary.scalar("x", 1.0, step=step)
                step.assign_add(1)

        with writer.as_default():
            train()
        assert [at for at, *_ in scalars(tmp_path)] == [0, 1, 2]

    def test_a_step_that_is_missing_is_an_error_of_the_run(self, writer):
        note = tf.function(lambda x: tf.summary.scalar("x", x))
        note(tf.constant(1.0))
        with (
            writer.as_default(),
            pytest.raises(tf.errors.FailedPreconditionError, match="'x' has no step"),
        ):
            note(tf.constant(1.0))

    def test_a_writer_inside_the_function_is_for_what_it_calls(self, writer, tmp_path):
        @tf.function
        def inner(x):
            return tf.summary.scalar("inner", x, step=1)

        @tf.function
        def outer(x):
            before = inner(x)
            with writer.as_default():
                tf.summary.scalar("outer", x, step=1)
                during = inner(x + 1.0)
            return before, during, inner(x)

        assert not inner(tf.constant(0.0))
        for _ in range(2):
            assert [bool(each) for each in outer(tf.constant(1.0))] == [False, True, False]
        assert not inner(tf.constant(0.0))
        assert scalars(tmp_path) == [(1, "outer", 1.0), (1, "inner", 2.0)] * 2

    def test_what_acts_once_is_refused(self, writer, tmp_path):
        for program in (
            lambda: tf.summary.create_file_writer(str(tmp_path)),
            lambda: writer.set_as_default(),
            lambda: writer.close(),
            lambda: tf.summary.trace_on(),
            lambda: tf.summary.graph(tf.Graph()),
        ):
            with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match="while a graph is"):
                tf.function(program)()

    def test_flushing_is_part_of_the_graph(self, writer, tmp_path):
        @tf.function
        def note(x):
            tf.summary.scalar("x", x, step=1)
            writer.flush()
            return x

        writer.set_as_default()
        note(tf.constant(1.0))
        assert len(scalars(tmp_path)) == 1

    def test_gradients_pass_by(self, writer, tmp_path):
        @tf.function
        def loss(x):
            y = x * x
            tf.summary.scalar("y", y, step=1)
            return y

        x = tf.Variable(3.0)
        with writer.as_default(), tf.GradientTape() as tape:
            y = loss(x)
        assert float(tape.gradient(y, x)) == 6.0
        assert scalars(tmp_path) == [(1, "y", 9.0)]
