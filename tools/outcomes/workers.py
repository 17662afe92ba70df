"""Programs judged in child processes, each within a limit of processor time."""

from __future__ import annotations

import json
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

from tools.outcomes.programs import Program
from tools.outcomes.trial import Verdict

LIMIT = 20.0
"""Seconds of processor time for one program, so that a busy machine changes no verdict."""
START_LIMIT = 300.0
WAITING = 15
"""Seconds to wait for each second of processor time: a program may sleep, or wait for a lock."""
ROOT = Path(__file__).resolve().parent.parent.parent
LOG_TAIL = 500


class Worker:
    """One child process, started anew after a program that hangs or ends it."""

    def __init__(self, limit: float = LIMIT) -> None:
        self.limit = limit
        self.child: subprocess.Popen[str] | None = None
        self.answers: queue.Queue[str] = queue.Queue()

    def judge(self, program: Program, forms: Sequence[str] = ()) -> Verdict:
        """Return the verdict; a hang or the end of the process is a wrong outcome."""
        request = {**asdict(program), "forms": list(forms), "limit": self.limit}
        child = self._asked(json.dumps(request) + "\n")
        try:
            answer = self.answers.get(timeout=WAITING * self.limit)
        except queue.Empty:
            self.stop()
            return Verdict("wrong", reason=f"no end after {self.limit:.0f} s")
        if answer:
            return Verdict(**json.loads(answer))
        code = child.wait()
        self.child = None
        if code == -signal.SIGPROF:
            return Verdict("wrong", reason=f"no end after {self.limit:.0f} s")
        return Verdict("wrong", reason=f"the process ended with status {code}")

    def _asked(self, request: str) -> subprocess.Popen[str]:
        """The process that got the request; another one if a program before has ended it late."""
        child = self.child or self._start()
        assert child.stdin is not None
        try:
            child.stdin.write(request)
            child.stdin.flush()
        except BrokenPipeError:
            self.stop()
            return self._asked(request)
        return child

    def _start(self) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "tools.outcomes.worker"]
        self.child = subprocess.Popen(
            command,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.answers = queue.Queue()
        threading.Thread(target=_forward, args=(self.child, self.answers), daemon=True).start()
        self.answers.get(timeout=START_LIMIT)
        return self.child

    def stop(self) -> None:
        if self.child is not None:
            self.child.kill()
            self.child.wait()
            self.child = None


def _forward(child: subprocess.Popen[str], answers: queue.Queue[str]) -> None:
    """Pass on each line, then an empty one at the end of the output."""
    assert child.stdout is not None
    for line in child.stdout:
        answers.put(line)
    answers.put("")


def judge_all(
    programs: Iterable[Program],
    show: Callable[[Program, Verdict], None],
    forms: Callable[[Program], Sequence[str]] = lambda program: (),
    jobs: int = 2,
    limit: float = LIMIT,
) -> list[tuple[Program, Verdict]]:
    """Judge programs in their forms with `jobs` children; `show` gets each verdict as it comes."""
    own = threading.local()
    workers: list[Worker] = []

    def one(program: Program) -> tuple[Program, Verdict]:
        if not hasattr(own, "worker"):
            own.worker = Worker(limit)
            workers.append(own.worker)
        verdict = own.worker.judge(program, forms(program))
        show(program, verdict)
        return program, verdict

    try:
        with ThreadPoolExecutor(jobs) as pool:
            return list(pool.map(one, programs))
    finally:
        for worker in workers:
            worker.stop()
