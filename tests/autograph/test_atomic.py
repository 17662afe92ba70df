"""Files are replaced as a whole, and keep what belongs to them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import autograph
from tests.autograph.cli.processes import environment, run
from tests.autograph.cli.trees import CLIP, contents, converted

ROOT = Path(autograph.__file__).parent.parent


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="needs extended attributes")
def test_extended_attributes_stay(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(CLIP)
    try:
        os.setxattr(path, "user.author", b"me")
    except OSError:
        pytest.skip("the file system has no extended attributes")
    os.setxattr(path, "user.binary", bytes(range(256)))
    done = run("convert", "-i", "a.py", cwd=tmp_path)
    assert os.getxattr(path, "user.author") == b"me"
    assert os.getxattr(path, "user.binary") == bytes(range(256))
    assert b"attributes" not in done.stderr


def test_content_reaches_the_disk_before_the_rename(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(CLIP)
    text = (
        "import os, runpy, sys\n"
        "order = []\n"
        "sync, replace = os.fsync, os.replace\n"
        "def audit(event, arguments):\n"
        "    if event == 'os.rename': order.append('rename')\n"
        "sys.addaudithook(audit)\n"
        "os.fsync = lambda fd: (order.append('sync'), sync(fd))\n"
        "sys.argv = ['autograph', 'convert', '-i', 'a.py']\n"
        "try: runpy.run_module('autograph', run_name='__main__')\n"
        "except SystemExit: pass\n"
        "print(order)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", text],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
    )
    assert done.stdout.strip() == "['sync', 'rename']"


def wait_until(condition: object) -> None:
    assert callable(condition)
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        threading.Event().wait(0.005)


def test_termination_leaves_no_temporary_file(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    for number in range(400):
        (tmp_path / f"src/m{number:03}.py").write_text(CLIP)
    process = subprocess.Popen(
        [sys.executable, "-m", "autograph", "convert", "src", "-i"],
        cwd=tmp_path,
        env=environment(),
        stderr=subprocess.DEVNULL,
    )
    wait_until(lambda: b"ag__" in (tmp_path / "src/m003.py").read_bytes())
    process.terminate()
    assert process.wait(60) == 128 + signal.SIGTERM
    assert set(contents(tmp_path / "src").values()) == {
        CLIP.encode(),
        converted(CLIP).encode(),
    }
