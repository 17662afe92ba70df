"""The doctor finds a healthy converter healthy and a sick one sick."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import autograph
from autograph import doctor
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


def test_every_function_of_the_set_is_varied_and_called() -> None:
    cases = {case.name for case in doctor.examine().cases}
    assert cases == set(corpus.ARGUMENTS)
    assert len(cases) >= 15


def test_plain_words(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    shown = capfd.readouterr().out
    assert "ok      total_up_to            A loop with break and continue" in shown
    assert f"All {len(corpus.ARGUMENTS)} functions give the same results once converted." in shown


def test_a_wrong_result_is_found(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    right = autograph.convert_source

    def wrong(text: str, **options: str) -> str:
        return right(text, **options).replace("steps = 0", "steps = 1")

    monkeypatch.setattr(autograph, "convert_source", wrong)
    assert main(["doctor"]) == 2
    shown = capfd.readouterr().out
    assert "collatz(1) is 0, but 1 once converted" in shown
    assert "1 of " in shown


def test_a_converter_that_fails_or_does_nothing_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(text: str, **options: str) -> str:
        raise RuntimeError("no parser")

    monkeypatch.setattr(autograph, "convert_source", fails)
    assert all("no parser" in (case.difference or "") for case in doctor.examine().cases)
    monkeypatch.setattr(autograph, "convert_source", lambda text, **options: text)
    assert not any(case.agrees for case in doctor.examine().cases)


def test_a_missing_package_is_named(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "PACKAGES", ("gast", "no-such-package"))
    assert main(["doctor"]) == 2
    shown = capfd.readouterr().out
    assert "Not installed: no-such-package. Run `pip install no-such-package`." in shown
