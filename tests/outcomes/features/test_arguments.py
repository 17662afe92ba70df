"""Random programs of this feature fill defaults and stars."""

from tests.outcomes.feature_checks import sample_agrees, uses
from tools.outcomes.features import arguments


def test_programs_fill_defaults_and_stars() -> None:
    assert uses(arguments, "full(*v)", "kept(", "k=", "**d")


def test_the_sample_agrees() -> None:
    assert sample_agrees(arguments)
