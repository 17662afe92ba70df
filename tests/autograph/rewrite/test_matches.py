"""`match` with patterns that look inside a value: Python decides, or it is refused by name."""

from dataclasses import dataclass

import pytest

import autograph
import runtime as tf
from tests.runtime.control_flow.agreement import check, outcome


@dataclass
class Point:
    x: int
    y: int


def class_pattern(x):
    match Point(x, 1):
        case Point(1, y):
            return y
        case Point(a, _):
            return a * 10


def mapping_pattern(x):
    match {"k": x}:
        case {"k": 1}:
            return 10
        case {"k": v}:
            return v


def sequence_behind_a_name(x):
    pair = (x, 2)
    match pair:
        case (1, y):
            return y
        case (a, y):
            return a + y


def guard_of_a_class_pattern(x):
    match Point(x, 1):
        case Point(a, b) if a > b:
            return a
        case _:
            return 0


def alternatives_that_capture(x):
    match (x, 1):
        case (1, y) | (y, 1):
            return y
        case _:
            return 0


@pytest.mark.parametrize(
    "program",
    [
        class_pattern,
        mapping_pattern,
        sequence_behind_a_name,
        guard_of_a_class_pattern,
        alternatives_that_capture,
    ],
    ids=lambda each: each.__name__,
)
def test_a_comparison_inside_of_a_value_is_refused_under_a_tensor(program):
    converted = autograph.to_graph(program)
    for x in (1, 2, 5):
        assert outcome(converted, x) == outcome(program, x)
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError) as caught:
        tf.function(program)(tf.constant(1))
    shown = str(caught.value)
    assert "This `match` stays Python: its patterns compare what is inside of a value" in shown
    first = program.__code__.co_firstlineno
    assert any(f'{__file__}", line {first + line}' in shown for line in (1, 2))


def assignment_in_a_subject(x):
    match y := x, 2:
        case 3, 2:
            y += 10
    return y


def captures_of_a_class_pattern(x):
    match Point(x, x + 1):
        case Point(a, b):
            return a if a > 2 else b


def captures_of_a_mapping(x):
    match {"k": x, "other": 1}:
        case {"k": v, **rest}:
            if v > 2:
                return v
            return rest["other"]


def length_of_a_sequence(x):
    row = [x, 2, 3]
    match row:
        case [a]:
            return a
        case [a, *rest]:
            if a > 2:
                a += len(rest)
            return a


@pytest.mark.parametrize(
    "program",
    [
        assignment_in_a_subject,
        captures_of_a_class_pattern,
        captures_of_a_mapping,
        length_of_a_sequence,
    ],
    ids=lambda each: each.__name__,
)
def test_patterns_without_comparisons_agree_with_plain_python(program):
    check(program, (3,), (1,))


def test_a_class_of_numbers_takes_one_pattern():
    def program(x):
        match x:
            case int(1, 2):
                return 1
        return 2

    converted = autograph.to_graph(program)
    assert outcome(converted, 1) == outcome(program, 1)
    assert outcome(converted, "a") == outcome(program, "a") == 2
