"""Traces of a program, which note what it changes outside."""

import pytest

from autograph.errors import StagingError
from runtime.core.errors import OperatorNotAllowedInGraphError
from runtime.numpy_programs.attempts import Attempt, note_changed


def test_a_change_is_noted_by_the_innermost_trace_alone():
    outer, inner = Attempt(), Attempt()
    with outer.running():
        with inner.running():
            note_changed("inner")
        note_changed("outer")
    note_changed("none")
    assert (outer.changed, inner.changed) == (["outer"], ["inner"])


def test_a_trace_is_refused_by_what_a_graph_cannot_do():
    attempt = Attempt()
    with pytest.raises(ValueError), attempt.running():
        raise ValueError("setting an array element with a sequence.") from StagingError("no number")
    assert attempt.is_refused(ValueError())


def test_a_trace_is_not_refused_by_an_error_of_the_program():
    attempt = Attempt()
    with pytest.raises(ValueError), attempt.running():
        raise ValueError("of the program")
    assert not attempt.is_refused(ValueError())
    assert attempt.is_refused(OperatorNotAllowedInGraphError())
