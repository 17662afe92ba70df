"""Which CPythons of a supported version this machine has, each with its own tests."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

OLDEST = (3, 11)

_DESCRIBE = """
import importlib.util, json, platform, sys
print(json.dumps({
    "executable": getattr(sys, "_base_executable", "") or sys.executable,
    "version": list(sys.version_info[:3]),
    "implementation": platform.python_implementation(),
    "home": sys.base_prefix,
    "has_tests": importlib.util.find_spec("test") is not None
    and importlib.util.find_spec("test.test_grammar") is not None,
}))
"""


@dataclass(frozen=True)
class Interpreter:
    """One CPython: the program, its version, where it lives, whether its tests are installed."""

    executable: str
    version: tuple[int, int, int]
    home: str
    has_tests: bool

    @property
    def label(self) -> str:
        return ".".join(map(str, self.version))


def describe(executable: str) -> Interpreter | None:
    """Ask a program what it is; None if it is not a CPython that starts."""
    try:
        answer = subprocess.run(
            [executable, "-I", "-c", _DESCRIBE],
            capture_output=True,
            text=True,
            timeout=60,
            stdin=subprocess.DEVNULL,
        )
        facts = json.loads(answer.stdout)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    if facts["implementation"] != "CPython":
        return None
    major, minor, micro = facts["version"]
    return Interpreter(
        facts["executable"], (major, minor, micro), facts["home"], facts["has_tests"]
    )


def discover(chosen: Sequence[str] = ()) -> list[Interpreter]:
    """Every supported CPython with its tests: this one, those on PATH, of pyenv, of `py`.

    Of several with one version the first counts. `chosen` restricts them to programs, found or
    not, and versions (`3.12`, `3.12.1`).
    """
    programs = [name for name in chosen if not _is_version(name)]
    versions = [name for name in chosen if _is_version(name)]
    found = _suitable(programs)
    if versions or not chosen:
        for interpreter in _suitable(_candidates()).values():
            if not chosen or any(_matches(interpreter, version) for version in versions):
                found.setdefault(interpreter.version, interpreter)
    return [found[version] for version in sorted(found)]


def _suitable(programs: Iterable[str]) -> dict[tuple[int, int, int], Interpreter]:
    found: dict[tuple[int, int, int], Interpreter] = {}
    for program in programs:
        interpreter = describe(program)
        if interpreter and interpreter.version >= OLDEST and interpreter.has_tests:
            found.setdefault(interpreter.version, interpreter)
    return found


def _is_version(name: str) -> bool:
    return all(part.isdigit() for part in name.split("."))


def _matches(interpreter: Interpreter, version: str) -> bool:
    return f"{interpreter.label}.".startswith(f"{version}.")


def _candidates() -> Iterator[str]:
    seen: set[str] = set()
    for executable in _unfiltered_candidates():
        place = os.path.realpath(executable)
        # A pyenv shim resolves to one file for every name, so the name counts as well.
        key = place + "\0" + os.path.basename(executable)
        if key not in seen:
            seen.add(key)
            yield executable


def _unfiltered_candidates() -> Iterator[str]:
    yield sys.executable
    for directory in os.environ.get("PATH", "").split(os.pathsep):
        for pattern in ("python3.[0-9]*", "python3", "python", "python.exe"):
            for path in sorted(Path(directory or ".").glob(pattern)):
                if path.stem.count("-") == 0 and os.access(path, os.X_OK):
                    yield str(path)
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    for path in sorted(pyenv.glob("versions/*/bin/python")):
        yield str(path)
    yield from _launcher_candidates()


def _launcher_candidates() -> Iterator[str]:
    launcher = shutil.which("py")
    if launcher is None or sys.platform != "win32":
        return
    listing = subprocess.run([launcher, "-0p"], capture_output=True, text=True, timeout=60)
    for line in listing.stdout.splitlines():
        path = line.split(maxsplit=1)[-1].strip().lstrip("* ")
        if path.lower().endswith(".exe"):
            yield path
