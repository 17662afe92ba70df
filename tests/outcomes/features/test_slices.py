"""Random programs of this feature slice text and lists by tensors."""

from tests.outcomes.feature_checks import sample_agrees, uses
from tools.outcomes.features import slices


def test_programs_slice_text_and_lists_by_tensors() -> None:
    assert uses(slices, "s[", "list(t)[", "z[", "3:]")


def test_the_sample_agrees() -> None:
    assert sample_agrees(slices)
