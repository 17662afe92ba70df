"""The protocol for authors of libraries: the page, its library, and the check of a library."""

import doctest
import types
from pathlib import Path

import numpy as np
import pytest

import autograph
from autograph import staging
from autograph.adapters.graphs import GraphLibrary
from autograph.testing import check_library
from fixtures.staging.lazy_arrays import LIBRARY, Lazy, lazy, record, run

FIXTURES = Path(autograph.__file__).parent.parent / "fixtures"


def test_page_for_authors_shows_what_happens():
    text = (FIXTURES / "staging" / "your_library.md").read_text()
    text = text.replace("```python\n", "").replace("```\n", "")
    test = doctest.DocTestParser().get_doctest(text, {}, "your_library.md", None, 0)
    shown = []
    flags = doctest.IGNORE_EXCEPTION_DETAIL
    doctest.DocTestRunner(optionflags=flags).run(test, out=shown.append)
    assert not shown, "".join(shown)


def test_worked_library_has_less_than_a_hundred_lines():
    assert len((FIXTURES / "staging" / "lazy_arrays.py").read_text().splitlines()) < 100


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


def test_library_without_a_method_cannot_be_made():
    class Unfinished(type(LIBRARY)):
        chosen = GraphLibrary.chosen

    with pytest.raises(TypeError, match=r"abstract .*chosen"):
        Unfinished()


def test_library_that_compares_identities_is_told_before_a_loop_runs_for_ever(monkeypatch):
    monkeypatch.setattr(Lazy, "__eq__", object.__eq__)
    report = check_library(LIBRARY, run)
    assert [name for name, _ in report.wrong] == ["=="]


def test_functions_of_a_module_with_the_attribute_run_unconverted():
    @autograph.convert()
    def program(x):
        if x > 0:
            x = lazy(2.0)
        return x

    assert run(program, 1.0) == 2.0
    assert run(program, -1.0) == -1.0


@pytest.mark.parametrize(
    ("values", "at", "expected"), [([1.0, 2.0], 1, 2.0), ([1.0, 2.0, 3.0], 0, 1.0)]
)
def test_item_at_a_staged_index(values, at, expected):
    @autograph.convert()
    def program(xs, i):
        return xs[i] if i < 5 else xs[0]

    assert run(program, values, at) == expected


def test_list_at_a_staged_index_is_refused_without_stack():
    @autograph.convert()
    def program(i):
        return [1.0, 2.0][i]

    with pytest.raises(TypeError, match=r"a Python list is read .*(?s:.*)Make an array"):
        run(program, 1)


def test_while_true_that_only_returns_leave_has_a_value():
    @autograph.convert()
    def program(x):
        while True:
            x = x * 2
            if x > 10:
                return x
            if x < -10:
                return -x

    assert run(program, 3.0) == 12.0
    assert run(program, -3.0) == 12.0


def test_loop_that_ends_by_itself_leaves_no_value():
    @autograph.convert()
    def program(x):
        while x < 10:
            x = x * 2
            found = x
        return found

    with pytest.raises(UnboundLocalError, match="`found` is read"):
        run(program, 3.0)


def test_truth_of_an_array_is_refused_at_the_line():
    @autograph.convert()
    def program(xs):
        if xs > 0:
            return 1.0
        return 2.0

    with pytest.raises(ValueError, match=r"truth of an array bool\[2\].*(?s:.*)in program"):
        run(program, [1.0, 2.0])


def test_nested_structures_and_checks_in_loops():
    @autograph.convert()
    def program(x, n):
        state = {"values": (x, [x]), "name": "a"}
        for i in range(n):
            a, [b] = state["values"]
            assert a < 100, "large"
            state["values"] = (a * 2, [b + i])
        return state

    assert run(program, 1.0, 3) == {"values": (8.0, [4.0]), "name": "a"}
    with pytest.raises(AssertionError, match="large"):
        run(program, 1.0, 9)


def test_maximum_iterations_ends_a_loop():
    @autograph.convert()
    def program(x):
        while x > 0:
            autograph.set_loop_options(maximum_iterations=3)
            x = x + 1
        return x

    assert run(program, 1.0) == 4.0


def test_plain_values_of_the_library_are_arrays():
    assert isinstance(lazy(1.0), Lazy)


def test_functions_of_a_registered_module_run_unconverted(monkeypatch):
    module = types.ModuleType("foreign_arrays")
    exec("def choose(x):\n    return 1 if x > 0 else 2\n", vars(module))
    program = autograph.convert()(lambda x: module.choose(x))
    monkeypatch.setattr(staging, "_modules", dict(staging._modules))
    staging.register("foreign_arrays", LIBRARY)
    with pytest.raises(TypeError, match="the truth of a lazy array"):
        run(program, 1.0)


def test_library_states_what_its_truth_values_do(monkeypatch):
    class Named(type(LIBRARY)):
        def negated(self, truth):
            return record(np.logical_not, truth)

        def conjoined(self, a, b):
            return record(np.logical_and, a, b)

        def disjoined(self, a, b):
            return record(np.logical_or, a, b)

    monkeypatch.setattr(Lazy, "__autograph_staging__", Named())
    monkeypatch.delitem(staging._found, Lazy, raising=False)
    for name in ("__and__", "__or__", "__invert__"):
        monkeypatch.delattr(Lazy, name)

    @autograph.convert()
    def program(x):
        assert x not in (lazy(1.0), lazy(2.0)), "listed"
        if x > 5:
            assert x < 9, "large"
        return -x if not x > 0 else x

    assert [run(program, x) for x in (3.0, -3.0, 6.0)] == [3.0, 3.0, 6.0]
    for x, words in ((2.0, "listed"), (9.0, "large")):
        with pytest.raises(AssertionError, match=words):
            run(program, x)
    monkeypatch.delitem(staging._found, Lazy)
