"""Python run as users run it: a command, standard input, a prompt."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import autograph

ROOT = Path(autograph.__file__).parent.parent


def run_python(*arguments: str, given: str | None = None) -> str:
    """What a new Python prints."""
    result = subprocess.run(
        [sys.executable, *arguments],
        input=given,
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout
