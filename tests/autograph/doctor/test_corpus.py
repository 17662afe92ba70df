"""Functions that the doctor converts and runs."""

from __future__ import annotations

from autograph import doctor
from autograph.doctor import corpus


def test_every_function_of_the_set_is_varied_and_called() -> None:
    cases = {case.name for case in doctor.examine().cases}
    assert cases == set(corpus.ARGUMENTS)
    assert len(cases) >= 15
