"""One run of a subject's tests in a child process, and what became of each test."""

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


@dataclass(frozen=True)
class Outcome:
    """What became of a test, with its failure text if it has one."""

    status: str
    text: str = ""


@dataclass
class Run:
    """The outcomes of one child process; `trouble` says why it did not come to its end."""

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
    """Run the located tests with the overlay in place, for at most `limit` seconds."""
    work = directory / "work"
    work.mkdir(parents=True)
    request, results, log = (directory / name for name in ("request", "results", "log"))
    request.write_text(
        json.dumps(
            {
                "autograph": autograph_home(),
                "overlay": overlay.files,
                "blocked": subject.blocked,
                "resources": subject.resources,
                "tests": located.tests,
            }
        ),
        encoding="utf-8",
    )
    command = [interpreter.executable, "-P", "-s", str(CHILD), "run", str(request), str(results)]
    started = time.perf_counter()
    code = _execute(command, work, log, limit)
    run = Run(seconds=time.perf_counter() - started)
    running = _read(results, run)
    if running is not None:
        run.trouble = _trouble(code, limit, running, log)
    return run


def autograph_home() -> str:
    """The directory that holds the `autograph` that runs here."""
    import autograph

    assert autograph.__file__ is not None
    return str(Path(autograph.__file__).resolve().parent.parent)


def _execute(command: list[str], work: Path, log: Path, limit: float) -> int | None:
    """The exit status; None where the time was up and the child was ended."""
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
            return child.wait(limit)
        except subprocess.TimeoutExpired:
            return None
        finally:
            _end(child, own_group)


def _end(child: subprocess.Popen[bytes], own_group: bool) -> None:
    """End the child and, where it leads a group, what it left running."""
    if own_group:
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            return
    else:
        child.kill()
    child.wait()


def _environment() -> Mapping[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    # Tests that print sets or count hash collisions must do so alike in both runs.
    return {**kept, "PYTHONHASHSEED": "0", "PYTHONFAULTHANDLER": "1"}


def _read(results: Path, run: Run) -> str | None:
    """Fill in the outcomes; the test that was running where the events break off, if they do."""
    running = ""
    for event in _events(results):
        if event["event"] == "start":
            running = event["test"]
        elif event["event"] == "end":
            run.outcomes[event["test"]] = Outcome(event["outcome"], event["text"])
        elif event["event"] == "finished":
            run.seconds = event["seconds"]
            return None
    return running


def _events(results: Path) -> Iterator[dict[str, Any]]:
    if not results.exists():
        return
    for line in results.read_text(encoding="utf-8").splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            # The last line of a child that was ended while it wrote.
            return


def _trouble(code: int | None, limit: float, running: str, log: Path) -> str:
    place = f"during {running}" if running else "before the first test"
    end = f"stopped after {limit:.0f} s" if code is None else f"exit status {code}"
    tail = log.read_text(encoding="utf-8", errors="replace")[-LOG_TAIL:]
    return f"{end} {place}\n{tail}".rstrip()
