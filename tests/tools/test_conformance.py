"""The conformance tool finds what a converter breaks, and the converter breaks nothing."""

import re
import sys
from pathlib import Path

import pytest

from tools.conformance import report
from tools.conformance.__main__ import main
from tools.conformance.catalogue import SAMPLE, SUBJECTS, Subject, select
from tools.conformance.comparison import Result, compare, record
from tools.conformance.interpreters import Interpreter, describe, discover
from tools.conformance.overlay import Located, autograph_converter, build, identity, locate
from tools.conformance.packages import read_junit
from tools.conformance.runs import Outcome, Run


@pytest.fixture(scope="module")
def here() -> Interpreter:
    interpreter = describe(sys.executable)
    if interpreter is None or not interpreter.has_tests:
        pytest.skip("this Python is not a CPython with its own tests")
    return interpreter


def subject(name: str) -> Subject:
    (found,) = select([name])
    return found


# ---- the converter


@pytest.mark.parametrize("name", SAMPLE)
def test_converted_module_passes_its_tests(here: Interpreter, name: str) -> None:
    result = compare(here, subject(name), autograph_converter)
    assert result.changed >= 1
    assert result.passed > 0
    assert "\n".join(report.failures(result)) == ""


# ---- the tool


def test_unconverted_module_passes_its_tests(here: Interpreter) -> None:
    result = compare(here, subject("bisect"), identity)
    assert (result.changed, result.modules, result.trouble) == (0, 1, "")
    assert result.passed > 10
    assert not result.failed


def test_converter_that_breaks_a_function_is_caught(here: Interpreter) -> None:
    def breaking(text: str, filename: str) -> str:
        return text + "\ndef dedent(text): return text\n"

    result = compare(here, subject("textwrap"), breaking)
    assert result.failed
    assert 0 < len(result.regressions) < result.passed
    assert "AssertionError" in "".join(result.regressions.values())
    assert "test_dedent_even" in report.as_text([result])


def test_module_that_does_not_import_fails_all_its_tests(here: Interpreter) -> None:
    def breaking(text: str, filename: str) -> str:
        return text + "\nraise RuntimeError('gone')\n"

    result = compare(here, subject("graphlib"), breaking)
    assert len(result.regressions) == result.passed > 0
    assert "RuntimeError: gone" in "".join(result.regressions.values())


def test_endless_loop_is_ended_and_the_tests_after_it_run(here: Interpreter) -> None:
    def breaking(text: str, filename: str) -> str:
        return re.sub(r'raise ValueError\("cannot prepare\(\) .*"\)', "while True: pass", text)

    result = compare(here, subject("graphlib"), breaking, limit=4)
    ((name, text),) = result.regressions.items()
    assert name.endswith("test_prepare_multiple_times")
    assert text.startswith("ended the process: no end after 4 s")
    assert "in prepare" in text


def test_loop_at_import_is_ended(here: Interpreter) -> None:
    result = compare(here, subject("graphlib"), lambda text, _: text + "\nwhile True: pass\n", 4)
    assert result.trouble.startswith("no end after 4 s before a test began")
    assert len(result.regressions) == result.passed > 0


def test_converter_that_fails_is_a_finding(here: Interpreter) -> None:
    def failing(text: str, filename: str) -> str:
        raise ValueError(f"cannot convert {Path(filename).name}")

    result = compare(here, subject("bisect"), failing)
    assert result.refused == {"bisect": "ValueError: cannot convert bisect.py"}
    assert result.failed
    assert "cannot convert bisect.py" in report.as_text([result])


def test_text_that_does_not_compile_is_a_finding(here: Interpreter) -> None:
    result = compare(here, subject("bisect"), lambda text, filename: text + "\nif")
    assert list(result.refused) == ["bisect"]
    assert result.refused["bisect"].startswith("SyntaxError: ")


def test_newer_syntax_is_left_alone(tmp_path: Path) -> None:
    source = tmp_path / "newer.py"
    source.write_text("def f():\n    syntax of the future\n")
    located = Located({"newer": {"path": str(source), "package": None}}, ())
    overlay = build(located, identity, tmp_path / "overlay")
    assert overlay.newer == ["newer"]
    assert not overlay.refused


def test_package_stands_for_its_modules(here: Interpreter) -> None:
    located = locate(here, subject("json"))
    assert {"json", "json.decoder", "json.encoder"} <= set(located.modules)
    assert located.modules["json"]["package"] is not None
    assert located.tests == ("test.test_json",)


def test_what_an_interpreter_lacks_is_absent(here: Interpreter) -> None:
    missing = Subject("missing", ("no_such_module",), ("test_no_such_module",))
    assert compare(here, missing, identity).absent == "no such module"
    untested = Subject("untested", ("bisect",), ("test_no_such_module",))
    assert compare(here, untested, identity).absent == "no such test"


def test_what_differs_between_two_equal_runs_is_flaky() -> None:
    good, bad = Run({"t": Outcome("passed")}), Run({"t": Outcome("failed", "oops")})
    result = Result("subject", "3.11.0")
    record(result, good, bad, lambda kind: good)
    assert (result.flaky, result.regressions) == (["t"], {})
    result = Result("subject", "3.11.0")
    record(result, good, bad, lambda kind: good if kind == "plain" else bad)
    assert (result.flaky, result.regressions) == ([], {"t": "failed: oops"})


def test_subjects_have_names_of_their_own() -> None:
    names = [subject.name for subject in SUBJECTS]
    assert len(names) == len(set(names)) > 45
    assert set(SAMPLE) <= set(names)


def test_interpreters_are_found_by_version(here: Interpreter) -> None:
    (found,) = discover([here.label])
    assert found.version == here.version
    assert describe("no-such-program") is None


def test_unknown_subject_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--module", "nonsense"]) == 2
    assert "no subject is called 'nonsense'; --list names them" in capsys.readouterr().err


def test_junit_results_are_read(tmp_path: Path) -> None:
    path = tmp_path / "results.xml"
    path.write_text(
        "<testsuites><testsuite>"
        '<testcase classname="a" name="ok"/>'
        '<testcase classname="a" name="bad"><failure message="m">text</failure></testcase>'
        '<testcase classname="a" name="no"><skipped message="why"/></testcase>'
        "</testsuite></testsuites>"
    )
    assert read_junit(path) == {
        "a::ok": Outcome("passed"),
        "a::bad": Outcome("failed", "text"),
        "a::no": Outcome("skipped", "why"),
    }


def test_known_difference_is_counted_apart(here: Interpreter) -> None:
    name = "test.test_tempfile.TestExports.test_exports"
    passed, failed = Outcome("passed", ""), Outcome("failed", "unexpected keys: ['ag__']")
    plain = Run({name: passed, "other": passed}, 1.0)
    converted = Run({name: failed, "other": failed}, 1.0)
    result = Result("tempfile", "3.12")
    record(result, plain, converted, {"plain": plain, "converted": converted}.__getitem__)
    assert list(result.known) == [name]
    assert list(result.regressions) == ["other"]
    text = report.as_text([result])
    assert "-- 3.12 tempfile, 1 of 2: `ag__` is one more name of a converted module" in text
    assert "1 fail converted, besides 1 that look" in text
