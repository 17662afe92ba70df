"""Random programs of this feature fold by functions of the library."""

from tests.outcomes.feature_checks import sample_agrees, uses
from tools.outcomes.features import folds


def test_programs_fold_by_functions_of_the_library() -> None:
    assert uses(folds, "functools.reduce(", "itertools.", "sorted(", "zip(", "enumerate(")


def test_the_sample_agrees() -> None:
    assert sample_agrees(folds)
