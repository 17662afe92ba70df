"""Random programs of this feature match numbers, tuples and objects."""

from tests.outcomes.feature_checks import sample_agrees, uses
from tools.outcomes.features import matches


def test_programs_match_numbers_tuples_and_objects() -> None:
    assert uses(matches, "match ", "case Point(", "case [", "case {")


def test_the_sample_agrees() -> None:
    assert sample_agrees(matches)
