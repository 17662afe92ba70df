"""Programs judged in child processes, each within a time limit."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

from tools.outcomes.programs import Program
from tools.outcomes.trial import Verdict

LIMIT = 30.0
START_LIMIT = 300.0
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
        child = self.child or self._start()
        assert child.stdin is not None
        child.stdin.write(json.dumps({**asdict(program), "forms": list(forms)}) + "\n")
        child.stdin.flush()
        try:
            answer = self.answers.get(timeout=self.limit)
        except queue.Empty:
            self.stop()
            return Verdict("wrong", reason=f"no end after {self.limit:.0f} s")
        if answer:
            return Verdict(**json.loads(answer))
        code = child.wait()
        self.child = None
        return Verdict("wrong", reason=f"the process ended with status {code}")

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
    jobs: int = 2,
    limit: float = LIMIT,
    forms: Sequence[str] = (),
) -> list[tuple[Program, Verdict]]:
    """Judge programs with `jobs` children; `show` gets each verdict as it comes."""
    own = threading.local()
    workers: list[Worker] = []

    def one(program: Program) -> tuple[Program, Verdict]:
        if not hasattr(own, "worker"):
            own.worker = Worker(limit)
            workers.append(own.worker)
        verdict = own.worker.judge(program, forms)
        show(program, verdict)
        return program, verdict

    try:
        with ThreadPoolExecutor(jobs) as pool:
            return list(pool.map(one, programs))
    finally:
        for worker in workers:
            worker.stop()
