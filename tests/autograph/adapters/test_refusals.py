"""Refusals name the line, and a remedy."""

import pytest

import autograph
from fixtures.staging.lazy_arrays import run


def test_list_at_a_staged_index_is_refused_without_stack():
    @autograph.convert()
    def program(i):
        return [1.0, 2.0][i]

    with pytest.raises(TypeError, match=r"a Python list is read .*(?s:.*)Make an array"):
        run(program, 1)


def test_truth_of_an_array_is_refused_at_the_line():
    @autograph.convert()
    def program(xs):
        if xs > 0:
            return 1.0
        return 2.0

    with pytest.raises(ValueError, match=r"truth of an array bool\[2\].*(?s:.*)in program"):
        run(program, [1.0, 2.0])


def test_list_and_dict_of_two_lengths_after_a_branch_have_a_remedy():
    @autograph.convert()
    def lists(x):
        found = []
        if x > 0:
            found.append(x)
        return found

    @autograph.convert()
    def dicts(x):
        found = {}
        if x > 0:
            found["x"] = x
        return found

    for program, remedy in ((lists, "an array of the final size"), (dicts, "the same keys")):
        with pytest.raises(TypeError, match=f"`found` is a .*(?s:.*){remedy}"):
            run(program, 1.0)


def test_text_that_a_branch_or_loop_chooses_has_a_remedy():
    @autograph.convert()
    def of_a_branch(x):
        mode = "fast"
        if x > 10:
            mode = "slow"
        return x * 2 if mode == "fast" else x

    @autograph.convert()
    def of_a_loop(x):
        mode = "fast"
        while x > 1:
            x = x / 2
            mode = "slow"
        return x * 2 if mode == "fast" else x

    @autograph.convert()
    def by_a_bool(x):
        slow = False
        if x > 10:
            slow = True
        while x > 1:
            x = x / 2
            slow = True
        return x if slow else x * 2

    for program in (of_a_branch, of_a_loop):
        with pytest.raises(
            TypeError, match=r"`mode` is the Python str .*(?s:.*)Use a bool or a nu"
        ):
            run(program, 16.0)
    assert [run(by_a_bool, x) for x in (16.0, 0.5)] == [1.0, 1.0]
