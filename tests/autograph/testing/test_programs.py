"""The check of a library: what it finds equal, refused, wrong and failed."""

from autograph.testing import check_library
from fixtures.staging.lazy_arrays import LIBRARY, Lazy, run


def test_worked_library_passes_the_check():
    report = check_library(LIBRARY, run)
    assert len(report.equal) == 30, str(report)


def test_error_that_names_no_line_of_the_program_is_no_refusal():
    def run_nothing(function, *args):
        raise KeyError("inside")

    report = check_library(LIBRARY, run_nothing)
    assert not report.refused
    assert len(report.failed) == 30


def test_refusal_at_a_line_of_the_program_is_no_failure(monkeypatch):
    monkeypatch.setattr(type(LIBRARY), "join", lambda self, a, b: None)
    report = check_library(LIBRARY, run)
    assert "number_or_float" in [name for name, _ in report.refused]
    assert not report.failed, str(report)


def test_library_that_compares_identities_is_told_before_a_loop_runs_for_ever(monkeypatch):
    monkeypatch.setattr(Lazy, "__eq__", object.__eq__)
    report = check_library(LIBRARY, run)
    assert [name for name, _ in report.wrong] == ["=="]
