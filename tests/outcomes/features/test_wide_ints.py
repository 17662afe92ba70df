"""Random programs of this feature merge wide ints with tensors."""

from tests.outcomes.feature_checks import sample_agrees, uses
from tools.outcomes.features import wide_ints


def test_programs_merge_wide_ints_with_tensors() -> None:
    assert uses(wide_ints, "sys.maxsize", "min(w, ", "if w > 2 ** 40")


def test_the_sample_agrees() -> None:
    assert sample_agrees(wide_ints)
