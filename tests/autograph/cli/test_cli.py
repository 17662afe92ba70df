"""The command line, run as a user runs it: help, interruptions, and output that goes away."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.autograph.cli.processes import environment, run, run_anew
from tests.autograph.cli.trees import CLIP, contents, converted


def test_nothing_of_the_user_is_run(tmp_path: Path) -> None:
    trap = "open('trap', 'w').close()\n"
    (tmp_path / "clip.py").write_text(trap + CLIP)
    for shadowed in ("rich", "libcst", "gast", "numpy"):
        (tmp_path / f"{shadowed}.py").write_text(trap)
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg/__init__.py").write_text(trap)
    (tmp_path / "pkg/clip.py").write_text(trap + CLIP)
    assert run_anew("convert", "clip.py", cwd=tmp_path).returncode == 0
    assert run_anew("show", "clip.py:clip", cwd=tmp_path).returncode == 0
    assert run_anew("show", "pkg.clip:clip", "--side-by-side", cwd=tmp_path).returncode == 0
    assert not (tmp_path / "trap").exists()


class TestInterruption:
    def test_ctrl_c_leaves_whole_files_only(self, tmp_path: Path) -> None:
        (tmp_path / "src").mkdir()
        for number in range(400):
            (tmp_path / f"src/m{number:03}.py").write_text(CLIP * 5)
        process = subprocess.Popen(
            [sys.executable, "-m", "autograph", "convert", "src", "-o", "out"],
            cwd=tmp_path,
            env=environment(),
            stderr=subprocess.PIPE,
            # A background job ignores SIGINT, and so would the process.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        wait_until(lambda: (tmp_path / "out/m003.py").exists())
        process.send_signal(signal.SIGINT)
        _, message = process.communicate(timeout=60)
        assert process.returncode == 130
        assert re.fullmatch(
            rb"autograph: interrupted; \d+ of 400 files written, each one whole\n", message
        )
        written = contents(tmp_path / "out")
        assert 0 < len(written) < 400
        assert set(written.values()) == {converted(CLIP * 5).encode()}


class TestMain:
    def test_version(self, tmp_path: Path) -> None:
        done = run_anew("--version", cwd=tmp_path)
        assert done.returncode == 0
        assert re.fullmatch(rb"autograph \d+\.\d+\S* \(Python 3\.\d+\.\S+\)\n", done.stdout)

    def test_without_a_command_prints_help(self, tmp_path: Path) -> None:
        done = run(cwd=tmp_path)
        assert done.returncode == 2
        for command in (b"convert", b"show", b"doctor"):
            assert command in done.stderr

    @pytest.mark.parametrize("command", ["convert", "show", "doctor"])
    def test_every_command_has_help(self, tmp_path: Path, command: str) -> None:
        done = run(command, "--help", cwd=tmp_path)
        assert done.returncode == 0
        assert done.stdout.startswith(f"usage: autograph {command}".encode())


def wait_until(condition: object) -> None:
    assert callable(condition)
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        threading.Event().wait(0.005)
