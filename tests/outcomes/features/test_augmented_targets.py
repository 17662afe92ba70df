"""Random programs of this feature change attributes, items and properties in place."""

from tests.outcomes.feature_checks import sample_agrees, uses
from tools.outcomes.features import augmented_targets


def test_programs_change_attributes_items_and_properties_in_place() -> None:
    assert uses(augmented_targets, "box.level +=", "d['k'] ", "v[1] ", "box.inner -=")


def test_the_sample_agrees() -> None:
    assert sample_agrees(augmented_targets)
