"""Random programs give in a graph what they give in plain Python."""

import logging

import pytest

import autograph
import runtime as tf
from tests.runtime.control_flow.random_programs import Program

ARGUMENTS = ((1, 2), (-3, 4), (6, -5))


def check(seed):
    program = autograph.exec(Program(seed).text())["program"]
    traced = tf.function(program)
    for arguments in ARGUMENTS:
        tensors = [tf.constant(value, tf.int64) for value in arguments]
        assert [int(value) for value in traced(*tensors)] == list(program(*arguments)), seed


@pytest.fixture(autouse=True)
def quiet():
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


SEEDS = [*range(10), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(10, 30))]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_program_gives_the_same(seed):
    check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(1000, 3000, 100))
def test_many_programs_give_the_same(start):
    for seed in range(start, start + 100):
        check(seed)
