"""Errors of a trace become public at its boundary."""

from __future__ import annotations

from contextlib import suppress

import pytest

from autograph.boundary import boundary
from autograph.errors import (
    StagingError,
    StaleSourceError,
    signals,
)


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
