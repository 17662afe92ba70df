"""Errors of the converter: what they show, and their family."""

from __future__ import annotations

import pickle

from autograph.errors import (
    AutographError,
    ConversionError,
    NoSourceError,
    StagingError,
    StaleSourceError,
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
