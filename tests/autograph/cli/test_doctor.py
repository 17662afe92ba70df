"""`autograph doctor` says whether the converter works here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import autograph
from autograph.cli import main
from autograph.doctor import corpus

ROOT = Path(autograph.__file__).parent.parent


def test_as_a_user_runs_it(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "autograph", "doctor", "--json"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    document = json.loads(done.stdout)
    differences = {
        case["name"]: case["difference"] for case in document["cases"] if not case["agrees"]
    }
    assert differences == {}
    assert document["versions"]["autograph"] == autograph.__version__
    assert set(document["versions"]) == {
        "python",
        "autograph",
        "gast",
        "libcst",
        "astor",
        "numpy",
        "rich",
    }


def test_plain_words(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    shown = capfd.readouterr().out
    assert "ok      total_up_to            A loop with break and continue" in shown
    assert f"All {len(corpus.ARGUMENTS)} functions give the same results once converted." in shown
