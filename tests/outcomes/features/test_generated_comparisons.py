"""Random programs of this feature compare objects of each class."""

from tests.outcomes.feature_checks import sample_agrees, uses
from tools.outcomes.features import generated_comparisons


def test_programs_compare_objects_of_each_class() -> None:
    assert uses(generated_comparisons, "Kind = Ranked", "Kind = Card", "Kind(", "max(p, q)")


def test_the_sample_agrees() -> None:
    assert sample_agrees(generated_comparisons)
