"""Programs of PyTorch's users in every mode: each agrees with plain Python."""

import importlib

import pytest

pytest.importorskip("torch")

from tools.modes.with_torch import MODES, MODULES

PROGRAMS = [each for name in MODULES for each in importlib.import_module(name).PROGRAMS]

CASES = [
    pytest.param(each, id=each.name, marks=[pytest.mark.sample] * (number % 40 == 7))
    for number, each in enumerate(PROGRAMS)
]


def assert_agrees(program, mode):
    verdict = MODES[f"grad-{mode}" if program.gradient else mode](program)
    assert verdict.outcome == "agreed", verdict.reason


@pytest.mark.parametrize("program", CASES)
def test_converted_program_in_eager_mode(program):
    verdict = MODES["eager"](program)
    assert verdict.outcome == "agreed", verdict.reason


@pytest.mark.parametrize("mode", ["export", "compile-eager", "compile-aot_eager"])
@pytest.mark.parametrize("program", CASES)
def test_staged_program_with_its_gradient(program, mode):
    assert_agrees(program, mode)


@pytest.mark.slow
@pytest.mark.parametrize("program", CASES[::24])
def test_inductor_with_its_gradient(program):
    assert_agrees(program, "compile-inductor")
