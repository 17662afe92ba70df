"""Python strings that a staged statement chooses: operators and methods do what Python does."""

import pytest

import runtime as tf


def upper(x):
    text = "ab" if x > 0 else "Cde"
    return text.upper()


def length(x):
    text = "ab" if x > 0 else "Cde"
    return len(text)


def item(x):
    text = "ab" if x > 0 else "Cde"
    return text[-1]


def part(x):
    text = "ab" if x > 0 else "Cde"
    return text[1:]


def sum_of_two(x):
    text = "ab" if x > 0 else "Cde"
    return text + "!" + text


def repeated(x):
    text = "ab" if x > 0 else "Cde"
    return text * 3


def beginning(x):
    text = "ab" if x > 0 else "Cde"
    return text.startswith("C")


def stripped(x):
    text = " ab " if x > 0 else "Cde\n"
    return text.strip()


def replaced(x):
    text = "ab" if x > 0 else "Cde"
    return text.replace("a", "b")


def formatted(x):
    text = "ab" if x > 0 else "Cde"
    return f"<{text}> {text!r}"


def percent(x):
    text = "ab" if x > 0 else "Cde"
    return "%s-%s" % (text, 1)  # noqa: UP031


def joined(x):
    text = "ab" if x > 0 else "Cde"
    return "/".join([text, "z"])


PROGRAMS = (
    *(upper, length, item, part, sum_of_two, repeated, beginning, replaced),
    *(stripped, formatted, percent, joined),
)


@pytest.mark.parametrize("x", [1, -1])
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_chosen_string_does_what_python_does(program, x):
    found = tf.function(program)(tf.constant(x)).numpy()
    assert (found.decode() if isinstance(found, bytes) else found) == program(x)
