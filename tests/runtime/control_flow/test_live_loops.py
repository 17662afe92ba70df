# ruff: noqa: B905, RUF007 - the programs are as people write them
"""Loops over lists that a tensor has chosen, or that grew, and that the loop itself changes."""

import pytest

from tests.runtime.control_flow.agreement import check


def grown_and_written(x):
    out = []
    for i in range(4):
        if x > i:
            out.append(i + 1)
    t = 0
    for v in out:
        t += v
        out[-1] = 50
    return t, out


def grown_further(x):
    out = []
    for i in range(4):
        if x > i:
            out.append(i + 1)
    t = 0
    for v in out:
        t += v
        if v == 2:
            out.append(9)
    return t, out


def shortened(x):
    out = []
    for i in range(4):
        if x > i:
            out.append(i + 1)
    t = 0
    for i, v in enumerate(out):
        t += v
        if i == 0:
            out.pop()
    return t, out


def grown_and_numbered(x):
    out = []
    for i in range(4):
        if x > i:
            out.append(i + 1)
    t = 0
    for i, v in enumerate(out):
        t += v
        out[i] = v * 2
    return t, out


def copies_of_grown(x):
    out = []
    for i in range(4):
        if x > i:
            out.append(i + 1)
    t = 0
    for v in list(out):
        t += v
        out.append(5)
    for v in out[:]:
        t += v
        out.append(5)
    return t, out


def grown_backwards(x):
    out = []
    for i in range(4):
        if x > i:
            out.append(i + 1)
    t = 0
    for v in reversed(out):
        t = t * 10 + v
        out[0] = 7
    return t, out


def grown_pairs_with_a_break(x):
    out = []
    for i in range(4):
        if x > i:
            out.append(i + 1)
    t = 0
    for i, (v, w) in enumerate(zip(out, out[1:])):
        if v > 2:
            break
        out[i + 1] = v + w
        t += w
    return t, out


PROGRAMS = [
    grown_and_written, grown_further, shortened, grown_and_numbered, copies_of_grown,


    grown_backwards, grown_pairs_with_a_break,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_an_iteration_sees_what_the_one_before_wrote(program):
    check(program, (3,), (-3,), (5,), (2,))
