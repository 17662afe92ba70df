"""Random programs of this feature have objects as keys and members."""

from tests.outcomes.feature_checks import sample_agrees, uses
from tools.outcomes.features import hashed_objects


def test_programs_have_objects_as_keys_and_members() -> None:
    assert uses(hashed_objects, "d[k] = ", "s.add(", "Alike(", "Tag(")


def test_the_sample_agrees() -> None:
    assert sample_agrees(hashed_objects)
