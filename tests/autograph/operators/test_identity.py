"""`is True` and `is False`: of what Python computes as a bool, and of everything else."""

import numpy as np
import pytest

import autograph
import runtime as tf


def in_a_branch(x):
    found = False
    if x > 0:
        found = True
    return 1 if found is True else 2


def as_a_value(x):
    found = True
    if x > 0:
        found = False
    return found is True, found is not True, found is False, True is not found


def in_a_loop(x):
    found = False
    for i in range(abs(x)):
        if i > 1:
            found = True
    if found is not False and x > 0:
        return x
    return -x


def in_a_match(x):
    found = False
    if x > 0:
        found = True
    match found:
        case True:
            return 1
        case False:
            return 2
    return 3


def of_an_argument_of_python(x, training=True):
    if training is True:
        return x
    return -x


def of_a_number(x):
    return x is True, 1 if x is False else 2


def in_a_chain(x):
    found = False
    if x > 0:
        found = True
    return found is True is True


@pytest.mark.parametrize("x", [-3, 0, 3])
@pytest.mark.parametrize(
    "program",
    [
        in_a_branch, as_a_value, in_a_loop, in_a_match, of_an_argument_of_python, of_a_number,
        in_a_chain,
    ],
    ids=lambda program: program.__name__,
)  # fmt: skip
def test_identity_with_a_truth_value_agrees_with_python(program, x):
    results = tf.nest.flatten(tf.function(program)(tf.constant(x)))
    assert [each.numpy() for each in results] == tf.nest.flatten(program(x))
    assert autograph.to_graph(program)(x) == program(x)


@pytest.mark.parametrize(
    "program",
    [
        lambda x: (x > 0) is True,
        lambda x: 1 if (x > 0) is not False else 2,
        lambda x: (x > 0 and x < 5) is False,
    ],
)
def test_a_comparison_may_be_true_in_python_and_is_refused(program):
    with pytest.raises(TypeError, match="asks for the identity of a truth value"):
        tf.function(program)(tf.constant(1))


@pytest.mark.parametrize("mask", [None, True, np.array([True, False])])
def test_an_argument_may_be_a_flag_or_an_array(mask):
    def program(mask):
        if mask is True:
            return "all"
        return "none" if mask is None else "some"

    assert tf.function(program)(mask).numpy().decode() == program(mask)
