"""The steps of the conversion of one function."""

from itertools import pairwise

from autograph.rewrite.functions import STEPS


def test_each_step_needs_only_facts_that_earlier_steps_give() -> None:
    known = {"statements"}
    for step in STEPS:
        assert step.needs <= known, step.run.__name__
        known |= step.gives
    assert "plan" in known


def test_each_fact_is_given_by_one_step() -> None:
    given = [fact for step in STEPS for fact in step.gives]
    assert len(given) == len(set(given))


def test_the_steps_that_decide_on_statements_have_one_valid_order() -> None:
    for step, following in pairwise(STEPS[2:]):
        assert step.gives & following.needs
