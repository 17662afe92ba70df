"""Other converters, each run by a worker process in an environment that holds them."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import venv
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Any

REQUIREMENTS = ("tensorflow-cpu==2.21.0", "diastatic-malt==2.15.3")
LIBRARIES = ("tensorflow", "malt")
DISTRIBUTIONS = {"malt": "diastatic-malt"}
"""Names of the installed packages, where they differ from those of the libraries."""
QUIET = {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}
WORKER = Path(__file__).with_name("peer_worker.py")


def cache_directory() -> Path:
    """Where the environment is kept between runs."""
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return Path(base or Path.home() / ".cache") / "autograph-bench"


def environment(requirements: Sequence[str] = REQUIREMENTS) -> Path:
    """The interpreter of an environment with the peers, set up where there is none yet."""
    version = ".".join(map(str, sys.version_info[:2]))
    digest = hashlib.sha256("\n".join(requirements).encode()).hexdigest()[:12]
    directory = cache_directory() / f"peers-{version}-{digest}"
    python = directory / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    ready = directory / "ready"
    if not ready.exists():
        venv.create(directory, with_pip=True, clear=True, symlinks=os.name != "nt")
        subprocess.run([python, "-m", "pip", "--quiet", "install", *requirements], check=True)
        # Written last: an installation that was broken off is begun again.
        ready.touch()
    return python


_VERSION = """
import sys, importlib.metadata as m
found = {each.name.replace("_", "-"): each.version for each in m.distributions()}
print(found.get(sys.argv[1]) or found.get(sys.argv[1] + "-cpu", ""))
"""


class Peer(AbstractContextManager["Peer"]):
    """One library in a process of its own, which does tasks and says how long they took."""

    def __init__(self, python: Path, library: str, folder: Path | None = None) -> None:
        """Starts the worker; `folder` holds the library if it is not installed."""
        self.python = python
        self.library = library
        self._process = subprocess.Popen(
            [python, str(WORKER), library],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, **QUIET, **({"PYTHONPATH": str(folder)} if folder else {})},
        )

    def ask(self, task: str, **arguments: Any) -> float:
        """What the worker measured: seconds, or bytes.

        Raises:
            RuntimeError: the library failed at the task, or the worker is gone.
        """
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps({"task": task, **arguments}) + "\n")
        process.stdin.flush()
        line = process.stdout.readline()
        answer = json.loads(line) if line else {"error": "the worker ended"}
        if "error" in answer:
            raise RuntimeError(f"{self.library}, {task}: {answer['error']}")
        return float(answer["value"])

    def version(self) -> str:
        """The version of the library."""
        package = DISTRIBUTIONS.get(self.library, self.library)
        command = [str(self.python), "-c", _VERSION, package]
        found = subprocess.run(command, capture_output=True, text=True)
        return str(found.stdout).strip()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.communicate()
