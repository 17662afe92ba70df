"""Random programs of this feature make closures in loops."""

from tests.outcomes.feature_checks import sample_agrees, uses
from tools.outcomes.features import closures


def test_programs_make_closures_in_loops() -> None:
    assert uses(closures, "fs.append(lambda", "add = make(", "twice(")


def test_the_sample_agrees() -> None:
    assert sample_agrees(closures)
