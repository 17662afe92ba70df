"""Modules that are written to a folder, imported and converted."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import textwrap
import types
from pathlib import Path

import autograph

ROOT = Path(autograph.__file__).parent.parent

CLIP = """\
def clip(x, limit):
    # keeps x below limit
    if x > limit:
        x = limit
    return x


def fail(x):
    if x:
        raise ValueError("from the user's line")
"""
STAYS = """\
def totals(stream):
    result = 0
    for x in stream:
        result += x
        yield result
"""


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    importlib.invalidate_caches()


def is_converted(function: object) -> bool:
    """Whether a function calls the operators."""
    assert isinstance(function, types.FunctionType)
    return "ag__" in function.__code__.co_names


def python(program: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Runs a program in a process of its own, with `cwd` on the path."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done
