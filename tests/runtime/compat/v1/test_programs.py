"""Flags, messages and files of programs written for version 1."""

import logging

import pytest

import runtime as tf2
import runtime.compat.v1 as tf


@pytest.fixture
def flags():
    return tf.flags.FlagValues()


class TestFlags:
    def test_values(self, flags):
        flags.define("steps", 10, "how often", int)
        flags.define_switch("quiet", False, "100% quiet")
        assert flags.steps == 10 and not flags.quiet
        assert flags(["program", "--steps=3", "--quiet", "file"]) == ["program", "file"]
        assert flags.flag_values_dict() == {"steps": 3, "quiet": True}
        flags(["program", "--noquiet"])
        assert not flags.quiet
        flags(["program", "--quiet=true"])
        assert flags.quiet
        flags.steps = 4
        assert flags.steps == 4 and "steps" in flags and "other" not in flags

    def test_unknown_ones_end_the_program(self, flags, capsys):
        with pytest.raises(SystemExit):
            flags(["program", "--other=3"])
        assert "Unknown command line flag '--other=3'" in capsys.readouterr().err
        assert flags(["program", "--other=3"], known_only=True) == ["program", "--other=3"]

    def test_bad_values_end_the_program(self, flags, capsys):
        flags.define("steps", 10, None, int)
        with pytest.raises(SystemExit):
            flags(["program", "--steps=x"])
        assert "invalid int value: 'x'" in capsys.readouterr().err

    def test_needed_ones(self, flags, capsys):
        flags.define("name", None, None, str)
        flags.require("name")
        with pytest.raises(SystemExit):
            flags(["program"])
        assert "flag --name=None" in capsys.readouterr().err
        flags(["program", "--name=x"])

    def test_names_are_there_once(self, flags):
        flags.define("steps", 10, None, int)
        with pytest.raises(ValueError, match="'steps' is defined twice"):
            flags.define("steps", 10, None, int)
        for change in (lambda: flags.other, lambda: setattr(flags, "other", 1)):
            with pytest.raises(AttributeError, match="there is no flag 'other'"):
                change()

    def test_of_a_program(self):
        tf.flags.DEFINE_enum("test_mode", "a", ["a", "b"], "mode")
        tf.flags.DEFINE_list("test_list", None, "list")
        tf.flags.DEFINE_float("test_rate", 1, "rate")
        left = []
        with pytest.raises(SystemExit) as ended:
            tf.app.run(left.extend, ["program", "--test_mode=b", "--test_list=x,y", "rest"])
        assert ended.value.code is None and left == ["program", "rest"]
        assert tf.app.flags.FLAGS.test_mode == "b" and tf.flags.FLAGS.test_list == ["x", "y"]
        assert tf.flags.FLAGS.test_rate == 1.0

    def test_what_main_gives_ends_the_program(self):
        with pytest.raises(SystemExit) as ended:
            tf.app.run(lambda left: 3, ["program"])
        assert ended.value.code == 3


class TestMessages:
    def test_levels(self, caplog):
        with caplog.at_level(logging.INFO, "runtime"):
            tf.logging.debug("quiet")
            tf.logging.info("step %d", 3)
            tf.logging.warn("careful")
            tf.logging.log_if(tf.logging.ERROR, "never", False)
        assert [record.getMessage() for record in caplog.records] == ["step 3", "careful"]

    def test_repeated(self, caplog):
        with caplog.at_level(logging.INFO, "runtime"):
            for number in range(4):
                tf.logging.log_first_n(tf.logging.INFO, "first %d", 2, number)
                tf.logging.log_every_n(tf.logging.INFO, "every %d", 3, number)
        assert [record.getMessage() for record in caplog.records] == [
            "first 0", "every 0", "first 1", "every 3",
        ]  # fmt: skip

    def test_verbosity(self):
        before = tf.logging.get_verbosity()
        tf.logging.set_verbosity(tf.logging.ERROR)
        assert tf.logging.get_verbosity() == tf.logging.ERROR
        tf.logging.set_verbosity(before)
        assert tf.get_logger() is tf2.get_logger() is logging.getLogger("runtime")


class TestFiles:
    def test_names(self, tmp_path):
        home = str(tmp_path)
        tf.gfile.MakeDirs(f"{home}/a")
        tf.gfile.MkDir(f"{home}/b")
        with tf.gfile.Open(f"{home}/a/f", "w") as file:
            file.write("text")
        tf.gfile.Copy(f"{home}/a/f", f"{home}/a/g")
        tf.gfile.Rename(f"{home}/a/g", f"{home}/a/h")
        assert tf.gfile.ListDirectory(f"{home}/a") == ["f", "h"]
        assert tf.gfile.Glob(f"{home}/a/*") == [f"{home}/a/f", f"{home}/a/h"]
        assert tf.gfile.Stat(f"{home}/a/f").length == 4
        assert len(list(tf.gfile.Walk(home))) == 3
        tf.gfile.Remove(f"{home}/a/f")
        assert not tf.gfile.Exists(f"{home}/a/f") and tf.gfile.IsDirectory(f"{home}/b")
        tf.gfile.DeleteRecursively(f"{home}/a")
        assert tf.gfile.ListDirectory(home) == ["b"]

    def test_decoding(self):
        assert tf.decode_raw(b"\1\0", tf.int16).numpy().tolist() == [1]
        assert tf.decode_raw(bytes=b"\1", out_type=tf.uint8).numpy().tolist() == [1]
        (found,) = tf.decode_csv("1;2", [0], ";", select_cols=[1])
        assert found.numpy() == 2
        assert tf.io.read_file is tf2.io.read_file
        with pytest.raises(TypeError, match="missing a required argument: 'input_bytes'"):
            tf.decode_raw(out_type=tf.uint8)


def test_test_cases():
    assert tf.test.TestCase is tf2.test.TestCase
    assert tf.test.mock.Mock()() is not None
    path = tf.test.test_src_dir_path("data")
    assert path.endswith("/v1/data")
    graph = tf.Graph().as_graph_def()
    tf.test.assert_equal_graph_def(graph, graph)
