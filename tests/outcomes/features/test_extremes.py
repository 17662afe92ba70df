"""Random programs of this feature search from infinity."""

from tests.outcomes.feature_checks import sample_agrees, uses
from tools.outcomes.features import extremes


def test_programs_search_from_infinity() -> None:
    assert uses(extremes, "float('inf')", "-math.inf", "max(high, ")


def test_the_sample_agrees() -> None:
    assert sample_agrees(extremes)
