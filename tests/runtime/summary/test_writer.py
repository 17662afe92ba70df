"""Writers of event files: their files, defaults and ends."""

import os
import re
import socket
import subprocess
import sys

import pytest

import runtime as tf
from tests.runtime.summary.events import scalars

pytest.importorskip("tensorboard")


def test_the_name_of_the_file(writer, tmp_path):
    (path,) = tmp_path.iterdir()
    pattern = rf"events\.out\.tfevents\.\d{{10}}\.{re.escape(socket.gethostname())}"
    assert re.fullmatch(rf"{pattern}\.{os.getpid()}\.\d+\.v2", path.name)
    tf.summary.create_file_writer(tmp_path / "deep" / "logs").close()
    assert len(list((tmp_path / "deep" / "logs").iterdir())) == 1


def test_flush_writes_what_the_default_writer_holds(writer, tmp_path):
    writer.set_as_default()
    tf.summary.scalar("loss", 0.5, step=1)
    tf.summary.flush()
    assert len(scalars(tmp_path)) == 1
    tf.summary.scalar("loss", 0.5, step=2)
    tf.summary.flush(writer)
    assert len(scalars(tmp_path)) == 2


def test_the_default_writer_is_flushed_and_put_back(writer, tmp_path):
    other = tf.summary.create_file_writer(tmp_path / "other")
    with writer.as_default():
        with other.as_default():
            tf.summary.scalar("inner", 1.0, step=1)
        tf.summary.scalar("outer", 1.0, step=1)
    assert [tag for _, tag, _ in scalars(tmp_path)] == ["outer"]
    assert [tag for _, tag, _ in scalars(tmp_path / "other")] == ["inner"]
    other.close()


def test_closed_writers_are_refused(writer):
    writer.set_as_default()
    writer.close()
    writer.close()
    writer.flush()
    assert not tf.summary.scalar("loss", 0.5, step=1)
    with pytest.raises(RuntimeError, match="is closed: create another"):
        writer.set_as_default()
    with pytest.raises(RuntimeError, match="is closed"), writer.as_default():
        pass


def test_a_program_that_ends_without_closing_has_written_everything(tmp_path):
    program = (
        "import runtime as tf\n"
        f"tf.summary.create_file_writer({str(tmp_path)!r}).set_as_default()\n"
        "for step in range(50): tf.summary.scalar('loss', 1.0 / (step + 1), step=step)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
    assert [step for step, *_ in scalars(tmp_path)] == list(range(50))


def test_without_tensorboard_the_error_names_the_extra(monkeypatch, tmp_path):
    for name in [name for name in sys.modules if name.partition(".")[0] == "tensorboard"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "tensorboard", None)
    with pytest.raises(ModuleNotFoundError, match=r'"autograph-numpy\[tensorboard\]"'):
        tf.summary.create_file_writer(str(tmp_path))
