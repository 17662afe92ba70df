"""A subject's tests in child processes, and what became of each test."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tools.conformance.catalogue import Subject
from tools.conformance.interpreters import Interpreter
from tools.conformance.overlay import CHILD, Located, Overlay

LOG_TAIL = 3000
MOST_CHILDREN = 6


@dataclass(frozen=True)
class Outcome:
    """What became of a test, with its failure text if it has one."""

    status: str
    text: str = ""


@dataclass
class Run:
    """The outcomes of the tests; `trouble` says why not all of them could run."""

    outcomes: dict[str, Outcome] = field(default_factory=dict)
    seconds: float = 0.0
    trouble: str = ""

    @property
    def passed(self) -> set[str]:
        return {name for name, outcome in self.outcomes.items() if outcome.status == "passed"}


def run_tests(
    interpreter: Interpreter,
    subject: Subject,
    located: Located,
    overlay: Overlay,
    directory: Path,
    limit: float,
) -> Run:
    """Run the located tests with the overlay in place; a test may take `limit` seconds.

    A test that takes longer, or ends the process, has failed; the tests after it run in a new
    child.
    """
    run = Run()
    request = {
        "autograph": autograph_home(),
        "overlay": overlay.files,
        "blocked": subject.blocked,
        "resources": subject.resources,
        "tests": located.tests,
    }
    for number in range(MOST_CHILDREN):
        done = sorted(name.partition("#")[0] for name in run.outcomes)
        place = directory / f"child-{number}"
        place.mkdir(parents=True)
        if _run_child(interpreter, {**request, "done": done}, place, limit, run):
            return run
        if run.trouble:
            return run
    run.trouble = f"given up after {MOST_CHILDREN} tests that did not end"
    return run


def autograph_home() -> str:
    """The directory that holds the `autograph` that runs here."""
    import autograph

    assert autograph.__file__ is not None
    return str(Path(autograph.__file__).resolve().parent.parent)


def _run_child(
    interpreter: Interpreter,
    request: Mapping[str, Any],
    directory: Path,
    limit: float,
    run: Run,
) -> bool:
    """Run what is not done yet in one child; whether it came to the end."""
    work = directory / "work"
    work.mkdir()
    request_path, results, log = (directory / name for name in ("request", "results", "log"))
    request_path.write_text(json.dumps(request), encoding="utf-8")
    results.touch()
    program = [interpreter.executable, "-P", "-s", str(CHILD)]
    command = [*program, "run", str(request_path), str(results)]
    started = time.perf_counter()
    code = _execute(command, work, log, results, limit)
    running = _read(results, run)
    run.seconds += time.perf_counter() - started
    if running is None:
        return True
    end = f"no end after {limit:.0f} s" if code is None else f"exit status {code}"
    tail = log.read_text(encoding="utf-8", errors="replace")[-LOG_TAIL:]
    if running:
        run.outcomes[running] = Outcome("ended the process", f"{end}\n{tail}".rstrip())
    else:
        run.trouble = f"{end} before a test began\n{tail}".rstrip()
    return False


def _execute(command: list[str], work: Path, log: Path, results: Path, limit: float) -> int | None:
    """The exit status; None where no event came for `limit` seconds and the child was ended."""
    own_group = sys.platform != "win32"
    with log.open("wb") as output:
        child = subprocess.Popen(
            command,
            cwd=work,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=own_group,
        )
        try:
            return _wait(child, results, limit)
        finally:
            _end(child, own_group)


def _wait(child: subprocess.Popen[bytes], results: Path, limit: float) -> int | None:
    size, since = 0, time.monotonic()
    while time.monotonic() - since < limit:
        try:
            return child.wait(0.5)
        except subprocess.TimeoutExpired:
            now = results.stat().st_size
            if now != size:
                size, since = now, time.monotonic()
    return None


def _end(child: subprocess.Popen[bytes], own_group: bool) -> None:
    """End the child and, where it leads a group, what it left running."""
    if not own_group:
        child.kill()
        child.wait()
        return
    if child.returncode is None:
        # The fault handler writes to the log where the child was.
        child.send_signal(signal.SIGABRT)
        try:
            child.wait(5)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def _environment() -> Mapping[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    # Tests that print sets or count hash collisions must do so alike in both runs.
    return {**kept, "PYTHONHASHSEED": "0", "PYTHONFAULTHANDLER": "1"}


def _read(results: Path, run: Run) -> str | None:
    """Add the outcomes; the test that was running where the events break off, if they do."""
    running = ""
    for event in _events(results):
        if event["event"] == "start":
            running = event["test"]
        elif event["event"] == "end":
            run.outcomes[event["test"]] = Outcome(event["outcome"], event["text"])
            running = ""
        elif event["event"] == "finished":
            return None
    return running


def _events(results: Path) -> Iterator[dict[str, Any]]:
    for line in results.read_text(encoding="utf-8").splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            # The last line of a child that was ended while it wrote.
            return
