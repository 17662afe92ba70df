"""Random programs of this feature leave `try` blocks by jumps."""

from tests.outcomes.feature_checks import sample_agrees, uses
from tools.outcomes.features import finally_blocks


def test_programs_leave_try_blocks_by_jumps() -> None:
    assert uses(finally_blocks, "finally:", "closing(", "break")


def test_the_sample_agrees() -> None:
    assert sample_agrees(finally_blocks)
