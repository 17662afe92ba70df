"""The doctor finds a healthy converter healthy and a sick one sick."""

from __future__ import annotations

import pytest

import autograph
from autograph import doctor
from autograph.cli import main


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
