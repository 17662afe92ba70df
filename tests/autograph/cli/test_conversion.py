"""The conversion of one file: which functions, and which statements stay Python."""

from __future__ import annotations

from pathlib import Path

from tests.autograph.cli.processes import run
from tests.autograph.cli.trees import CLIP, NET, STAYS


class TestOnly:
    def test_converts_what_is_named(self, tmp_path: Path) -> None:
        (tmp_path / "net.py").write_text(NET)
        done = run("convert", "net.py", "--only", "Net.call", cwd=tmp_path)
        assert done.returncode == 0
        assert CLIP in done.stdout.decode()
        assert done.stdout.count(b"ag__.if_stmt(") == 1

    def test_a_name_that_is_not_there_is_an_error_that_names_near_ones(self, tree: Path) -> None:
        done = run("convert", "src", "--only", "clap", "--only", "clip", "--check", cwd=tree)
        assert done.returncode == 2
        assert b"src: there is no function clap\n    Did you mean clip?" in done.stderr
        assert b"no function clip" not in done.stderr

    def test_a_method_without_its_class_is_suggested_with_it(self, tmp_path: Path) -> None:
        (tmp_path / "net.py").write_text(NET)
        done = run("convert", "net.py", "--only", "call", "--check", cwd=tmp_path)
        assert b"Did you mean Net.call?" in done.stderr


class TestStrict:
    def test_a_statement_that_stays_python_is_named(self, tmp_path: Path) -> None:
        (tmp_path / "a.py").write_text(STAYS)
        done = run("convert", "a.py", cwd=tmp_path)
        assert done.returncode == 0
        assert b"a.py:3:5: note: `for` stays Python: it contains `yield`" in done.stderr
        assert run("convert", "-q", "a.py", cwd=tmp_path).stderr == b""

    def test_and_an_error_in_strict_mode(self, tmp_path: Path) -> None:
        (tmp_path / "a.py").write_text(STAYS)
        done = run("convert", "a.py", "--strict", cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, b"")
        assert b"a.py:3:5: " in done.stderr
        assert b"\n    3 |     for x in stream:\n      |     ^^^^^^^^^^^^^^^^\n" in done.stderr
