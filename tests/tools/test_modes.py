"""The counts of programs by mode."""

from types import SimpleNamespace

import pytest

from tools.modes import __main__ as command
from tools.modes.verdicts import Differs, judge


def raises(error):
    def call():
        raise error

    return call


def judged(got, expected=lambda: None):
    return judge(expected, got, __file__).outcome


def test_a_program_without_a_difference_agrees():
    assert judged(lambda: None) == "agreed"


def test_another_value_is_wrong():
    assert judged(raises(Differs("1 in place of 2"))) == "wrong"


def test_an_error_at_the_line_is_a_refusal():
    assert judged(raises(TypeError("no"))) == "refused"


def test_an_error_that_shows_an_internal_name_is_internal():
    assert judged(raises(TypeError("ag__.if_stmt"))) == "internal"


def test_a_failure_of_a_library_itself_is_no_refusal():
    failure = type("InductorError", (RuntimeError,), {})
    assert judged(raises(failure("no"))) == "internal"


def test_an_error_without_a_line_of_the_program_is_internal():
    def got():
        compile("(", "elsewhere", "exec")

    assert judge(lambda: None, got, "another file").outcome == "internal"


def test_the_error_of_python_agrees_also_in_a_report():
    plain = raises(KeyError("k"))
    assert judged(plain, plain) == "agreed"
    assert judged(raises(RuntimeError("KeyError: 'k'")), plain) == "agreed"
    assert judged(lambda: None, plain) == "wrong"


@pytest.mark.parametrize(("library", "mode"), [("jax", "jit"), ("torch", "eager")])
def test_the_command_counts(library, mode, capsys):
    pytest.importorskip(library)
    name = "nested_branches"
    assert command.main([library, "--mode", mode, "--only", name]) == 0
    assert capsys.readouterr().out.splitlines()[-1].split()[1:] == ["1", "1", "0", "0", "0"]


def test_a_program_has_the_name_of_its_function():
    assert command.name_of(SimpleNamespace(function=len)) == "len"
