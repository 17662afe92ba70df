"""Random programs of this feature leave nested loops early."""

from tests.outcomes.feature_checks import sample_agrees, uses
from tools.outcomes.features import grids


def test_programs_leave_nested_loops_early() -> None:
    assert uses(grids, "break", "g[", "zip(*g)")


def test_the_sample_agrees() -> None:
    assert sample_agrees(grids)
