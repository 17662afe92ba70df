"""Lists and other sequences times a number that only the running graph knows."""

import pytest

import runtime as tf
from tests.runtime.control_flow.agreement import check


@pytest.mark.parametrize("x", [0, 1, 3, -2])
def test_a_repeated_list_has_the_length_that_python_gives_it(x):
    check(lambda x: [7] * x, (x,))
    check(lambda x: len(x * [0.5, 1.5]), (x,))
    check(lambda x: "ab" * x + "c", (x,))


def test_a_repeated_list_can_be_written():
    def powers(n):
        table = [1] * (n + 1)
        i = 1
        while i <= n:
            table[i] = table[i - 1] * 2
            i += 1
        return table[n]

    check(powers, (6,))


@pytest.mark.parametrize(
    "program", [lambda x: (1, 2) * x, lambda x: [[0]] * x, lambda x: ["a"] * x]
)
def test_other_sequences_are_not_repeated(program):
    with pytest.raises(TypeError, match="repeated as often"):
        tf.function(program)(tf.constant(2))
    assert program(2)
