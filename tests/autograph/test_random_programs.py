"""Random programs do the same after conversion: value, order, output, errors and state."""

from __future__ import annotations

import random
import warnings
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.autograph import random_programs as programs


@st.composite
def program(draw: Any) -> str:
    def below(n: int) -> int:
        return int(draw(st.integers(0, n - 1)))

    text = programs.program(below)
    assume(programs.compiled(text) is not None)
    return text


def program_of(seed: int) -> str:
    """A program that is the same in every run."""
    chance = random.Random(seed)
    simple = chance.random() / 3

    def below(n: int) -> int:
        return 0 if chance.random() < simple else chance.randrange(n)

    return programs.program(below)


@pytest.fixture(autouse=True)
def silent() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def check(text: str) -> None:
    """Compare a program with its converted text and with the conversion of its loaded function."""
    original = programs.original(text)
    assert programs.converted(text) == original, text
    assert programs.loaded(text) == original, text


@given(program())
def test_a_converted_program_does_the_same(text: str) -> None:
    check(text)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 20_000, 500))
def test_many_programs_do_the_same(start: int) -> None:
    for seed in range(start, start + 500):
        text = program_of(seed)
        if programs.compiled(text) is not None:
            check(text)


def test_every_program_ends() -> None:
    text = """
    def program(a, b, xs, d, o):
        while True:
            try:
                t()
            except Exception:
                pass
    """
    assert any("OutOfFuel" in line for line in programs.original(programs.dedented(text)))
