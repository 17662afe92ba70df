"""What `convert` does to the files of a project."""

from __future__ import annotations

import subprocess
from pathlib import Path

import autograph
from tests.autograph.cli import processes

CLIP = """\
def clip(x, limit):
    if x > limit:
        x = limit
    return x
"""
CONVERTED = autograph.convert_source(CLIP)


def run(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    return processes.run("convert", *arguments, cwd=cwd)


def write(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(CLIP)


def converted(folder: Path) -> set[str]:
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*.py")
        if path.is_file() and path.read_text() == CONVERTED
    }
