"""Random programs with mutable state agree with plain Python or are refused at a line of theirs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.outcomes.known import WRONG
from tools.outcomes.__main__ import forms
from tools.outcomes.programs import Program
from tools.outcomes.random_programs import generate
from tools.outcomes.shrinking import shrink
from tools.outcomes.trial import Verdict
from tools.outcomes.workers import Worker

SAMPLE = 8
BLOCK = 50
MANY = 2_000


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    worker = Worker()
    yield worker
    worker.stop()


def wrong(program: Program, worker: Worker) -> str:
    """A small program and what is wrong with it; empty if nothing is."""
    verdict = worker.judge(program, forms(program))
    if verdict.outcome != "wrong":
        return ""
    if program.key not in WRONG:
        program, verdict = shrink(program, verdict, worker)
    return (
        f"{program.name}: {verdict.reason} in {verdict.call} under {verdict.form}\n"
        f"{program.text}\nexpected: {verdict.expected}\ngot: {verdict.got}"
    )


def seeds() -> list[object]:
    known = pytest.mark.xfail(reason="a third outcome today", strict=True)
    return [
        pytest.param(seed, marks=[known] if generate(seed).key in WRONG else [])
        for seed in range(SAMPLE)
    ]


@pytest.mark.parametrize("seed", seeds())
def test_a_program_has_no_third_outcome(seed: int, worker: Worker) -> None:
    assert not wrong(generate(seed), worker)


@pytest.mark.parametrize("seed", range(SAMPLE))
def test_a_program_on_plain_values_agrees(seed: int, worker: Worker) -> None:
    assert worker.judge(generate(seed, "plain"), ["converted"]) == Verdict("agreed")


@pytest.mark.parametrize("seed", range(SAMPLE))
def test_a_program_on_values_of_numpy_has_no_third_outcome(seed: int, worker: Worker) -> None:
    assert not wrong(generate(seed, "numpy"), worker)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, MANY, BLOCK))
def test_many_programs_have_no_third_outcome(start: int, worker: Worker) -> None:
    programs = [generate(seed) for seed in range(start, start + BLOCK)]
    for program in programs:
        assert program.key in WRONG or not wrong(program, worker)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, MANY, BLOCK))
def test_many_programs_on_plain_values_agree(start: int, worker: Worker) -> None:
    for seed in range(start, start + BLOCK):
        assert worker.judge(generate(seed, "plain"), ["converted"]) == Verdict("agreed")


def test_programs_are_valid_and_the_same_for_a_seed() -> None:
    texts = [generate(seed).text for seed in range(50)]
    assert [generate(seed).text for seed in range(50)] == texts
    assert all(ast.parse(text) for text in texts)


def test_a_wrong_program_shrinks_to_what_is_wrong(worker: Worker) -> None:
    text = (
        "import runtime\n\n\n"
        "def helper(x):\n"
        "    return x + 1\n\n\n"
        "def program(x):\n"
        "    y = helper(x)\n"
        "    for i in range(3):\n"
        "        y += i\n"
        "    if y > 0:\n"
        "        y = 1\n"
        "    return runtime.is_tensor(x)\n"
    )
    program = Program("random", "name", text, "(1,), (2,)")
    small, verdict = shrink(program, worker.judge(program, ["function"]), worker)
    assert small.text == ("import runtime\n\ndef program(x):\n    return runtime.is_tensor(x)\n")
    assert verdict.reason == "other result"
