"""The command line in real processes that need not load it: forks of one that has."""

from __future__ import annotations

import functools
import json
import os
import pty
import select
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import autograph

ROOT = Path(autograph.__file__).parent.parent

SERVER = """
import json, os, sys
del sys.path[0]
import autograph.cli
# The first conversion loads the parser.
autograph.cli.main(["convert", "--check", "--quiet", autograph.cli.__file__])
for line in sys.stdin:
    request = json.loads(line)
    if child := os.fork():
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        continue
    os.chdir(request["cwd"])
    for number, path in enumerate(request["streams"]):
        os.dup2(os.open(path, os.O_RDWR), number)
    sys.stdin = open(0)
    sys.exit(autograph.cli.main(request["arguments"]))
"""


def environment(**variables: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100", **variables}


@functools.cache
def _server() -> subprocess.Popen[str]:
    """A process that forks for each request, and ends with the one that asks."""
    command = [sys.executable, "-c", SERVER]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment(), text=True)


def run(*arguments: object, cwd: Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """`autograph ...` with `cwd` as the current folder."""
    words = [str(each) for each in arguments]
    server = _server()
    assert server.stdin is not None and server.stdout is not None
    with tempfile.TemporaryDirectory() as folder:
        streams = [Path(folder) / name for name in ("stdin", "stdout", "stderr")]
        for stream, given in zip(streams, (stdin, b"", b""), strict=True):
            stream.write_bytes(given)
        request = {"arguments": words, "cwd": str(cwd), "streams": [*map(str, streams)]}
        server.stdin.write(json.dumps(request) + "\n")
        server.stdin.flush()
        code = int(server.stdout.readline())
        return subprocess.CompletedProcess(words, code, *(s.read_bytes() for s in streams[1:]))


def run_anew(
    *arguments: object, cwd: Path, stdin: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """`python -m autograph ...` with `cwd` as the current folder."""
    command = [sys.executable, "-m", "autograph", *map(str, arguments)]
    return subprocess.run(
        command, cwd=cwd, input=stdin, capture_output=True, env=environment(), check=False
    )


def in_terminal(command: list[str], cwd: Path) -> bytes:
    """What a command shows to a person: standard output and error are a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command, cwd=cwd, env=environment(TERM="xterm-256color"), stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    shown = b""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if not select.select([ours], [], [], 0.1)[0]:
            continue
        try:
            shown += os.read(ours, 65536)
        except OSError:  # The other end is closed: the process has ended.
            break
    os.close(ours)
    assert process.wait(10) == 0
    return shown
