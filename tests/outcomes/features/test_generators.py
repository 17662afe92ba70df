"""Random programs of this feature drain generators whole and in part."""

from tests.outcomes.feature_checks import sample_agrees, uses
from tools.outcomes.features import generators


def test_programs_drain_generators_whole_and_in_part() -> None:
    assert uses(generators, "next(it, ", "up(", "sum(", "yield")


def test_the_sample_agrees() -> None:
    assert sample_agrees(generators)
