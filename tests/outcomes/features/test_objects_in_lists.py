"""Random programs of this feature look for equal objects."""

from tests.outcomes.feature_checks import sample_agrees, uses
from tools.outcomes.features import objects_in_lists


def test_programs_look_for_equal_objects() -> None:
    assert uses(objects_in_lists, " in rows", "rows.count(", "Item(")


def test_the_sample_agrees() -> None:
    assert sample_agrees(objects_in_lists)
