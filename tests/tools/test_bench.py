"""The benchmark tool's figures, goals and programs; nothing here is timed."""

import argparse
import ast
import importlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import runtime
from runtime import nest
from tools.bench import array_programs, chart, gradient_programs, plain_programs, tensor_programs
from tools.bench.__main__ import duration, interpreter, main, names, row, write
from tools.bench.benchmarks import commits, plain, training, workloads
from tools.bench.measure import Figure, Goal, alone, paired
from tools.bench.programs import copies, elif_chain, function, load, straight
from tools.bench.session import ROOT, Session, checkout, open_session
from tools.bench.tensor_programs import PROGRAMS, Made


def test_pair_gives_medians_and_the_median_of_the_ratios() -> None:
    ours, theirs = iter([1.0, 2.0, 9.0]), iter([2.0, 2.0, 3.0])
    figure = paired("f", lambda: next(ours), "peer", lambda: next(theirs), repeats=3)
    assert figure == Figure("f", 2.0, "peer", 2.0, 1.0)


def test_pairs_are_measured_in_turn() -> None:
    order: list[str] = []

    def note(name: str) -> float:
        order.append(name)
        return 1.0

    paired("f", lambda: note("ours"), "peer", lambda: note("theirs"), repeats=2)
    assert order == ["ours", "theirs", "ours", "theirs"]


@pytest.mark.parametrize(
    ("goal", "text", "met"),
    [
        (Goal(0.2), ">= 5x faster", False),
        (Goal(15.0), "<= 15x", True),
        (Goal(1.0, "seconds"), "<= 1 s", True),
        (Goal(0.1, "seconds"), "<= 0.1 s", False),
        (Goal(0.25, "excess"), "<= 250000 us more", True),
        (Goal(1e-6, "excess"), "<= 1 us more", False),
    ],
)
def test_goal_is_shown_and_judged(goal: Goal, text: str, met: bool) -> None:
    figure = Figure("f", 0.5, "peer", 0.25, 2.0, goal)
    assert goal.met(figure) is met
    assert row(figure).endswith(f"{text:<14} {'met' if met else 'MISSED'}")


def test_goal_without_a_peer_is_not_met() -> None:
    assert not Goal(2.0).met(alone("f", lambda: 1.0, repeats=1))


of_a_repository = pytest.mark.skipif(
    not (ROOT / ".git").exists(), reason="these files are not a repository"
)


@of_a_repository
def test_commit_is_measured_beside_this_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commits, "REPEATS", 1)
    monkeypatch.setattr(tensor_programs, "PROGRAMS", [tensor_programs.one_op])
    with open_session(with_peers=False, against="HEAD") as session:
        found = list(commits.run(session))
    assert [figure.label for figure in found] == ["one_op", "one_op, first call"]
    assert all(figure.peer == "HEAD" and figure.ratio is not None for figure in found)


def test_no_commit_is_measured_unless_asked_for(tmp_path: Path) -> None:
    assert not list(commits.run(Session(tmp_path)))


@of_a_repository
def test_files_of_a_commit(tmp_path: Path) -> None:
    assert (checkout("HEAD", tmp_path / "then") / "pyproject.toml").exists()


def test_unknown_commit_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no commit 'nowhere'"):
        checkout("nowhere", tmp_path)


def test_memory_is_shown_in_megabytes() -> None:
    assert " 80.1 MB" in row(alone("f", lambda: 80.1e6, repeats=1, unit="B"))


def test_new_process_measures_the_first_epoch_and_its_memory() -> None:
    for task, least, most in (("making", 1e-3, 600.0), ("peak", 3e7, 3e9)):
        measured = training.in_new_process(
            Path(sys.executable), "runtime", task, "mlp", training.ROOT
        )
        assert least < measured() < most


@pytest.mark.parametrize(
    ("seconds", "text"), [(2.5, "2.5 s"), (0.0215, "21.5 ms"), (3e-6, "3 us"), (5e-8, "50 ns")]
)
def test_duration_has_its_unit(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_straight_program_has_its_size_and_runs(tmp_path: Path) -> None:
    text = straight(100)
    (definition,) = ast.parse(text).body
    assert isinstance(definition, ast.FunctionDef)
    assert len(definition.body) == 100
    assert straight(100) != text
    function("def f(a, b):\n    return a\n", tmp_path)


def test_elif_chain_runs(tmp_path: Path) -> None:
    chain = function(elif_chain(30), tmp_path)
    assert [chain(0), chain(29), chain(30)] == [0, 841, -1]


def test_copies_are_each_new(tmp_path: Path) -> None:
    path, made = copies(3, tmp_path)
    functions = load(path)
    assert len(set(made)) == 3
    assert [functions[name]([1.0, -1.0, 3.0], 5) for name in made] == [(2.0, 3.0)] * 3


def test_unknown_benchmark_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nonsense"]) == 2
    assert "no benchmark is called nonsense" in capsys.readouterr().err
    assert "import_time" in names()


@pytest.mark.parametrize("make", PROGRAMS, ids=lambda make: make.__name__)
def test_tensor_programs_run_as_graphs(make: Callable[[Any], Made]) -> None:
    function, arguments = make(runtime)
    results = [function(*arguments) for _ in range(2)]
    first, second = (nest.flatten(result) for result in results)
    assert [one.numpy().tobytes() for one in first] == [two.numpy().tobytes() for two in second]
    assert function.experimental_get_tracing_count() == 1  # type: ignore[attr-defined]


@pytest.mark.parametrize("library", ["jax", "torch"])
@pytest.mark.parametrize("make", gradient_programs.PROGRAMS)
def test_frameworks_train_the_same_steps(library: str, make: Callable[[Any], Any]) -> None:
    framework = pytest.importorskip(library)
    theirs = importlib.import_module(f"tools.bench.gradient_programs_{library}")
    losses = []
    for found, given in ((make, runtime), (getattr(theirs, make.__name__), framework)):
        step, arguments = found(given)
        losses.append([float(step(*arguments)) for _ in range(3)])
    assert losses[0] == pytest.approx(losses[1], rel=1e-3)
    assert losses[0][-1] < losses[0][0]


def test_figures_are_written_with_what_they_depend_on(tmp_path: Path) -> None:
    path = tmp_path / "figures.json"
    write(path, [Figure("f", 2.0, "peer", 4.0, 0.5, Goal(1.0))], Session(tmp_path))
    written = json.loads(path.read_text(encoding="utf-8"))
    assert written["figures"][0]["ratio"] == 0.5
    assert written["figures"][0]["goal"] == "<= 1x"
    assert {"date", "machine", "load", "versions"} < {*written}


def test_peers_of_other_environments_are_named_with_their_interpreter() -> None:
    assert interpreter("jax=/venv/bin/python") == ("jax", Path("/venv/bin/python"))
    with pytest.raises(argparse.ArgumentTypeError, match="'jax' is not LIBRARY=PYTHON"):
        interpreter("jax")


def test_converted_plain_programs_agree_with_python() -> None:
    graph = plain.converted()
    for kernel in plain_programs.KERNELS:
        assert getattr(graph, kernel.__name__)(40) == kernel(40), kernel.__name__


@pytest.mark.parametrize("name", ["power", "lstm_cell", "collatz"])
def test_workloads_agree_with_plain_numpy(name: str) -> None:
    program, given = getattr(array_programs, name)(np)
    function, arguments = getattr(tensor_programs, name)(runtime)
    workloads.check(
        name, workloads.checksum(function(*arguments)), workloads.checksum(program(*given))
    )


def test_workloads_that_differ_are_an_error() -> None:
    with pytest.raises(ValueError, match="f computes results whose magnitudes sum to 2"):
        workloads.check("f", 2.0, 1.0)


def test_chart_has_a_bar_for_each_program_and_library(tmp_path: Path) -> None:
    rows = [
        Figure("loop", 2e-6, "numpy", 8e-6, 0.25),
        Figure("loop", 3e-6, "jax", 4e-6, 0.5),
        Figure("loop, native", 1e-6, "numpy", 8e-6, 0.125),
    ]
    source, target = tmp_path / "figures.json", tmp_path / "chart.svg"
    write(source, rows, Session(tmp_path))
    found = chart.times(json.loads(source.read_text(encoding="utf-8"))["figures"])
    assert found == {"loop": {"plan": 2e-6, "native": 1e-6, "numpy": 8e-6, "jax": 4e-6}}
    chart.main(str(source), str(target))
    image = ElementTree.parse(target).getroot()
    texts = [each.text for each in image.iter("{http://www.w3.org/2000/svg}text")]
    for text in ("loop", "2 us", "1 us", "8 us", "4 us", "plan", "native", "numpy", "jax"):
        assert text in texts
    bars = [
        each for each in image.iter("{http://www.w3.org/2000/svg}rect") if each.get("y") != "12"
    ]
    widths = [float(each.get("width", "")) for each in bars[1:]]
    assert widths == pytest.approx([widths[1] + d for d in _doublings(widths)], abs=0.2)


def _doublings(widths: list[float]) -> list[float]:
    """Lengths beyond the second bar, of 2, 1, 8 and 4 us, on a logarithmic scale."""
    step = (widths[2] - widths[1]) / 3
    return [step, 0.0, 3 * step, 2 * step]


def test_only_libraries_that_convert_python_are_asked_for_code(tmp_path):
    class Library:
        def __init__(self, library):
            self.library = library

    peers = [Library(name) for name in ("tensorflow", "jax", "malt", "numba")]
    found = Session(tmp_path, peers).converters
    assert [peer.library for peer in found] == ["tensorflow", "malt"]
