"""Random programs of this feature ask objects for length, truth and members."""

from tests.outcomes.feature_checks import sample_agrees, uses
from tools.outcomes.features import own_protocols


def test_programs_ask_objects_for_length_truth_and_members() -> None:
    assert uses(own_protocols, "len(bag)", "if gate:", " in span")


def test_the_sample_agrees() -> None:
    assert sample_agrees(own_protocols)
