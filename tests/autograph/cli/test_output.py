"""Results go to standard output, also where it goes away or is full."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.autograph.cli.processes import environment
from tests.autograph.cli.trees import CLIP


def test_a_reader_that_goes_away(tmp_path: Path) -> None:
    (tmp_path / "clip.py").write_text(CLIP)
    process = subprocess.Popen(
        [sys.executable, "-m", "autograph", "convert", "clip.py"],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == (
        b"autograph: standard output was closed before everything was written\n"
    )
    assert process.wait(60) == 141
    process.stderr.close()


def test_a_full_disk(tmp_path: Path) -> None:
    (tmp_path / "clip.py").write_text(CLIP)
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "autograph", "convert", "clip.py"],
            cwd=tmp_path,
            env=environment(),
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == b"autograph: standard output: No space left on device\n"
