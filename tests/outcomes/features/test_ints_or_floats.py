"""Random programs of this feature ask for text and type of a chosen number."""

from tests.outcomes.feature_checks import sample_agrees, uses
from tools.outcomes.features import ints_or_floats


def test_programs_ask_for_text_and_type_of_a_chosen_number() -> None:
    assert uses(ints_or_floats, "t = str(", "type(f).__name__", "f = 2.5")


def test_the_sample_agrees() -> None:
    assert sample_agrees(ints_or_floats)
