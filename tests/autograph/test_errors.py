"""What a user sees when something is refused."""

from __future__ import annotations

import pickle
from contextlib import suppress

import pytest

from autograph.boundary import boundary
from autograph.errors import (
    AutographError,
    ConversionError,
    NoSourceError,
    StagingError,
    StaleSourceError,
    signals,
)


def test_conversion_error_shows_place_reason_and_remedy() -> None:
    error = ConversionError("no", "a.py", 3, 8, 13, "        x = y", "why", "do this")
    assert str(error).splitlines() == [
        "no",
        '  File "a.py", line 3',
        "    x = y",
        "    ^^^^^",
        "  why",
        "  do this",
    ]


def test_conversion_error_survives_pickling() -> None:
    error = ConversionError("no", "a.py", 3, 0, 1, "x", "why", "do this")
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.lineno == 3


def test_all_refusals_are_of_one_family() -> None:
    for kind in (ConversionError, NoSourceError, StaleSourceError):
        assert issubclass(kind, AutographError)
    assert not issubclass(StagingError, Exception)


def test_staging_error_passes_the_users_except_and_surfaces_at_the_boundary() -> None:
    with pytest.raises(ValueError, match="differs"), boundary():
        try:
            raise StagingError("`y` differs", public=ValueError)
        except Exception:
            pytest.fail("the user's except clause caught it")


def test_a_swallowed_staging_error_surfaces_at_the_boundary() -> None:
    with pytest.raises(ValueError, match="differs"), boundary(), suppress(BaseException):
        raise StagingError("`y` differs", public=ValueError)


def test_a_staging_error_that_is_handled_or_never_raised_does_not_surface() -> None:
    with boundary():
        StagingError("created")
        mark = signals.mark()
        with suppress(StagingError):
            raise StagingError("handled")
        signals.forget(mark)
        assert signals.mark() == mark and signals.swallowed() is None


def test_staging_error_can_stand_for_an_exception() -> None:
    error = StaleSourceError("edited")
    with pytest.raises(StaleSourceError) as caught, boundary():
        raise StagingError("edited", public=error)
    assert caught.value is error
