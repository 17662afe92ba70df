"""Random programs of this feature invert chosen truth values."""

from tests.outcomes.feature_checks import sample_agrees, uses
from tools.outcomes.features import inverted_bools


def test_programs_invert_chosen_truth_values() -> None:
    assert uses(inverted_bools, "~p", "k = ~q", "chosen(")


def test_the_sample_agrees() -> None:
    assert sample_agrees(inverted_bools)
