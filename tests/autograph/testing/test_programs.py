"""The check of a library: what it finds equal, refused, wrong and failed."""

import re

from autograph.testing import check_library
from fixtures.staging import lazy_arrays
from fixtures.staging.lazy_arrays import LIBRARY, Lazy, lazy, run


def test_worked_library_passes_the_check():
    report = check_library(LIBRARY, run)
    assert len(report.equal) == 30, str(report)


def test_error_that_names_no_line_of_the_program_is_no_refusal():
    def run_nothing(function, *args):
        raise KeyError("inside")

    report = check_library(LIBRARY, run_nothing)
    assert not report.refused
    assert report.failed[0][0] == "=="
    assert len(report.failed) == 28


def test_module_of_arrays_whose_functions_would_be_converted_is_named(monkeypatch):
    monkeypatch.delattr(lazy_arrays, "__autograph_staging__")
    report = check_library(LIBRARY, run)
    [(name, text)] = report.failed
    assert name == "__autograph_staging__"
    assert "the module fixtures.staging.lazy_arrays of Lazy" in text
    assert not report.equal


def test_report_says_where_the_programs_are(monkeypatch):
    assert "programs.py" not in str(check_library(LIBRARY, run))
    monkeypatch.setattr(type(LIBRARY), "join", lambda self, a, b: None)
    assert str(check_library(LIBRARY, run)).endswith("testing/programs.py.")


def test_refusal_at_a_line_of_the_program_is_no_failure(monkeypatch):
    monkeypatch.setattr(type(LIBRARY), "join", lambda self, a, b: None)
    report = check_library(LIBRARY, run)
    assert "number_or_float" in [name for name, _ in report.refused]
    assert not report.failed, str(report)


def test_library_that_compares_identities_is_told_before_a_loop_runs_for_ever(monkeypatch):
    monkeypatch.setattr(Lazy, "__eq__", object.__eq__)
    report = check_library(LIBRARY, run)
    assert [name for name, _ in report.wrong] == ["=="]
    assert len(report.equal) == 27, str(report)


def test_library_whose_loops_take_functions_passes_the_check(monkeypatch):
    repeated = type(LIBRARY).repeated

    def looped(self, test, body, init):
        variables = [self.variable(self.leaf(array)) for array in init]
        return repeated(self, variables, test(variables), body(variables), init)

    monkeypatch.delattr(type(LIBRARY), "repeated")
    monkeypatch.setattr(type(LIBRARY), "looped", looped, raising=False)
    report = check_library(LIBRARY, run)
    assert len(report.equal) == 30, str(report)


def test_library_without_loops_unrolls_and_refuses(monkeypatch):
    monkeypatch.delattr(type(LIBRARY), "repeated")
    report = check_library(LIBRARY, run)
    assert not report.wrong and not report.failed, str(report)
    assert {"until_negative", "largest", "loop_else", "weighted"} <= set(report.equal)
    assert tuple(n for n, _ in report.refused if n in ("doubling", "gcd")) == ("doubling", "gcd")


def test_failure_is_shown_with_its_line_in_the_module_of_the_library(monkeypatch):
    monkeypatch.setattr(type(LIBRARY), "join", lambda self, a, b: self.leaf(lazy([[1], [2, 3]])))
    report = check_library(LIBRARY, run)
    [text] = [text for name, text in report.failed if name == "number_or_float"]
    assert re.fullmatch(r"ValueError: .*\(lazy_arrays.py, line \d+, in lazy\)", text), text


def test_array_that_changes_in_place_in_a_branch_is_wrong(monkeypatch):
    def add(a, b):
        total = Lazy(a.compute, a.like) + b
        a.compute, a.like = total.compute, total.like
        return a

    monkeypatch.setattr(Lazy, "__iadd__", add, raising=False)
    monkeypatch.delattr(type(LIBRARY), "repeated")
    report = check_library(LIBRARY, run)
    assert {"nested", "until_negative"} == {name for name, _ in report.wrong}, str(report)
