"""Random programs of this feature chain comparisons of noted operands."""

from tests.outcomes.feature_checks import sample_agrees, uses
from tools.outcomes.features import chained_comparisons


def test_programs_chain_comparisons_of_noted_operands() -> None:
    assert uses(chained_comparisons, "< noted(", "p < q < p", "1 < ")


def test_the_sample_agrees() -> None:
    assert sample_agrees(chained_comparisons)
