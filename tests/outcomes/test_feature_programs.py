"""Random programs about one feature of Python agree with plain Python or are refused."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tools.outcomes.__main__ import forms
from tools.outcomes.feature_programs import feature_names, feature_of, generate
from tools.outcomes.shrinking import shrink
from tools.outcomes.trial import Verdict
from tools.outcomes.workers import Worker

MANY = 75


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    worker = Worker()
    yield worker
    worker.stop()


def check(seed: int, name: str, worker: Worker) -> None:
    program = generate(seed, name)
    verdict = worker.judge(program, forms(program))
    if verdict.outcome == "wrong":
        program, verdict = shrink(program, verdict, worker)
        pytest.fail(
            f"{name}/{seed}: {verdict.reason} in {verdict.call} under {verdict.form}\n"
            f"{program.text}\nexpected: {verdict.expected}\ngot: {verdict.got}"
        )


@pytest.mark.parametrize("name", feature_names())
def test_a_program_has_no_third_outcome(name: str, worker: Worker) -> None:
    check(1, name, worker)


@pytest.mark.slow
@pytest.mark.parametrize("name", feature_names())
def test_many_programs_have_no_third_outcome(name: str, worker: Worker) -> None:
    for seed in range(MANY):
        check(seed, name, worker)


@pytest.mark.slow
@pytest.mark.parametrize("name", feature_names())
def test_many_programs_on_plain_values_agree(name: str, worker: Worker) -> None:
    for seed in range(MANY):
        program = generate(seed, name, "plain")
        assert worker.judge(program, forms(program)) == Verdict("agreed"), program.text


@pytest.mark.parametrize("name", feature_names())
def test_programs_are_valid_and_the_same_for_a_seed(name: str) -> None:
    texts = [generate(seed, name).text for seed in range(50)]
    assert [generate(seed, name).text for seed in range(50)] == texts
    assert all(ast.parse(text) for text in texts)


def test_a_feature_that_does_not_exist_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        feature_of("none")
