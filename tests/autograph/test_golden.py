"""Each golden case: its text; and that it is valid, stable, complete and does the same."""

from __future__ import annotations

import io
import tokenize
import warnings
from collections import Counter

import pytest

import autograph
from tests.autograph.golden_cases import DIRECTORY, Case, cases, outcome

CASES = cases()
EVERY_CASE = pytest.mark.parametrize(
    "case", CASES, ids=[str(case.path.relative_to(DIRECTORY))[:-7] for case in CASES]
)
WIDTH = 100


def comments(text: str) -> Counter[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)


@EVERY_CASE
def test_becomes(case: Case, request: pytest.FixtureRequest) -> None:
    converted = autograph.convert_source(case.text)
    if request.config.getoption("--rewrite-golden"):
        case.write(converted)
    else:
        assert converted == case.becomes


@EVERY_CASE
def test_converting_it_again_changes_nothing(case: Case) -> None:
    assert autograph.convert_source(case.becomes) == case.becomes


@EVERY_CASE
def test_every_comment_is_kept_once(case: Case) -> None:
    assert comments(case.becomes) == comments(case.text)


@EVERY_CASE
def test_is_valid_python(case: Case) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        compile(case.becomes, str(case.path), "exec", dont_inherit=True)


@EVERY_CASE
def test_no_new_line_is_long(case: Case) -> None:
    known = set(case.text.splitlines())
    assert [
        line for line in case.becomes.splitlines() if len(line) > WIDTH and line not in known
    ] == []


@EVERY_CASE
def test_same_result(case: Case) -> None:
    original, converted = case.module(case.text), case.module(case.becomes)
    assert case.calls, "a case says for which calls the result is the same"
    for line in case.calls:
        assert outcome(line, original) == outcome(line, converted), line


def test_there_is_a_case_for_every_title() -> None:
    titles = Counter(case.title for case in CASES)
    assert [title for title, count in titles.items() if count > 1] == []
