"""Compare the runtime with TensorFlow: run the oracle's tests where TensorFlow is installed.

    python -m tools.oracle [PYTEST ARGUMENT ...]

TensorFlow is installed into an environment of its own, kept in the user's cache directory. The
tests call every operation that both have on its samples with every dtype, and run the corpus of
programs; the exit status is pytest's.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from tools.bench import peers

ROOT = Path(__file__).resolve().parents[1]
TESTS = "tests/runtime/oracle"
TENSORFLOW = next(name for name in peers.REQUIREMENTS if name.startswith("tensorflow"))
EXTRAS = ("image", "tensorboard")


def command(python: Path, arguments: Sequence[str]) -> list[str]:
    """How the tests are run with an interpreter."""
    return [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", TESTS, *arguments]


def requirements() -> list[str]:
    """Return what the tests need: TensorFlow, and what the project depends on."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [name for extra in EXTRAS for name in project["optional-dependencies"][extra]]
    return [TENSORFLOW, "pytest", *project["dependencies"], *extras]


def main(arguments: Sequence[str] | None = None) -> int:
    options = sys.argv[1:] if arguments is None else list(arguments)
    if any(option in ("-h", "--help") for option in options):
        print(__doc__)
        return 0
    python = peers.environment(requirements())
    quiet = {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}
    done = subprocess.run(command(python, options), cwd=ROOT, env={**os.environ, **quiet})
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
