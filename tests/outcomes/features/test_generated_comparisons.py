"""Random programs of this feature compare objects of each class."""

import sys

import pytest

from tests.outcomes.feature_checks import sample_agrees, uses
from tools.outcomes.features import generated_comparisons


def test_programs_compare_objects_of_each_class() -> None:
    assert uses(generated_comparisons, "Kind = Ranked", "Kind = Card", "Kind(", "max(p, q)")


@pytest.mark.skipif(
    sys.version_info >= (3, 13),
    reason="the generated `==` asks for the identity of its operands, which is refused",
)
def test_the_sample_agrees() -> None:
    assert sample_agrees(generated_comparisons)
