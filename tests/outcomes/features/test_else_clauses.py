"""Random programs of this feature have `else` after loops, and assignment expressions."""

from tests.outcomes.feature_checks import sample_agrees, uses
from tools.outcomes.features import else_clauses


def test_programs_have_else_after_loops_and_assignment_expressions() -> None:
    assert uses(else_clauses, "else:", "(k := ", "break")


def test_the_sample_agrees() -> None:
    assert sample_agrees(else_clauses)
