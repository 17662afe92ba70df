"""Random programs of this feature slice text and tuples by tensors."""

from tests.outcomes.feature_checks import sample_agrees, uses
from tools.outcomes.features import slices


def test_programs_slice_text_and_tuples_by_tensors() -> None:
    assert uses(slices, "s[", "t[", "z[", "3:]")


def test_the_sample_agrees() -> None:
    assert sample_agrees(slices)
