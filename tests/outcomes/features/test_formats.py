"""Random programs of this feature make text of numbers."""

from tests.outcomes.feature_checks import sample_agrees, uses
from tools.outcomes.features import formats


def test_programs_make_text_of_numbers() -> None:
    assert uses(formats, ":>5}", "'%d %s' %", ".format(", ", '.join(")


def test_the_sample_agrees() -> None:
    assert sample_agrees(formats)
