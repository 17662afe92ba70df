"""The counting of outcomes tells agreement, refusal and third outcomes apart."""

from __future__ import annotations

import functools
import types
from pathlib import Path

import pytest

from tools.outcomes import __main__ as command
from tools.outcomes import report
from tools.outcomes.observation import Observer, state_of
from tools.outcomes.programs import Program, read
from tools.outcomes.trial import Verdict, judge
from tools.outcomes.workers import Worker


def program(text: str, calls: str = "(3,), (-3,)") -> Program:
    return Program("item", "name", text, calls)


def test_a_program_that_does_the_same_agrees() -> None:
    text = "def program(x):\n    y = 0\n    if x > 0:\n        y = x\n    return y\n"
    assert judge(program(text)) == Verdict("agreed")


def test_a_value_frozen_by_tracing_is_wrong() -> None:
    text = "N = iter(range(9))\n\ndef program(x):\n    return x + next(N)\n"
    verdict = judge(program(text), ("function",))
    assert verdict.outcome in ("wrong", "refused")
    assert judge(program(text), ("converted",)).outcome == "agreed"


def test_an_error_at_a_line_of_the_program_is_a_refusal() -> None:
    text = "def program(x):\n    return list(range(x.numpy()))\n"
    assert judge(program(text), ("converted",)).outcome == "agreed"  # raised by Python too
    text = "def program(x):\n    return {x: 1}\n"
    verdict = judge(program(text), ("function",))
    assert verdict.outcome == "refused" and verdict.reason.startswith("TypeError")


def test_an_error_of_python_that_does_not_come_is_wrong() -> None:
    text = (
        "import runtime\n\n"
        "def program(x):\n"
        "    if not runtime.is_tensor(x):\n"
        "        raise ValueError\n"
        "    return 0\n"
    )
    assert judge(program(text), ("function",)).reason == "no ValueError"


def test_a_mistake_in_a_call_of_the_library_is_wrong() -> None:
    text = (
        "import runtime\n\n"
        "def program(x):\n"
        "    if runtime.is_tensor(x):\n"
        "        return list(zip((1,), (1, 2), strict=True))\n"
        "    return 0\n"
    )
    assert judge(program(text), ("function",)).reason.startswith(
        "internal error: ValueError: zip()"
    )
    text = "def program(x):\n    return list(zip((1,), (1, 2), strict=True))\n"
    assert judge(program(text), ("function",)).outcome == "agreed"


def test_state_left_behind_is_compared() -> None:
    text = (
        "import runtime\n\nLOG = []\n\n"
        "def program(x):\n"
        "    if runtime.is_tensor(x):\n"
        "        runtime.py_function(lambda: LOG.append(1), [], [])\n"
        "    return 0\n"
    )
    assert judge(program(text), ("function",)).reason == "other state"


def test_a_program_that_hangs_or_ends_the_process_is_wrong() -> None:
    worker = Worker(limit=5)
    try:
        ends = worker.judge(program("import os\n\ndef program(x):\n    os._exit(3)\n"))
        hangs = worker.judge(program("def program(x):\n    while True:\n        pass\n"))
        fine = worker.judge(program("def program(x):\n    return x\n"))
    finally:
        worker.stop()
    assert ends.reason == "the process ended with status 3"
    assert hangs.reason == "no end after 5 s"
    assert fine.outcome == "agreed"


def test_a_file_of_the_corpus_is_read(tmp_path: Path) -> None:
    path = tmp_path / "item.py"
    text = "# %% one: (1,)\ndef program(x):\n    return x\n\n\n# %% two: (1,), (2,)\nN = 1\n"
    path.write_text(text)
    assert read(path) == [
        Program("item", "one", "def program(x):\n    return x\n", "(1,)"),
        Program("item", "two", "N = 1\n", "(1,), (2,)"),
    ]
    path.write_text(text + text)
    with pytest.raises(ValueError, match="called one, two"):
        read(path)


def test_the_table_counts_outcomes_of_each_item() -> None:
    agreed, refused = Verdict("agreed"), Verdict("refused", reason="TypeError: no")
    lines = report.table([(program(""), agreed), (program(""), refused)]).splitlines()
    assert lines[1].split() == ["item", "2", "1", "1", "0"]
    assert lines[-1].split() == ["1", "TypeError:", "no"]


def test_the_command_refuses_an_unknown_item(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--item", "nothing"]) == 2
    assert "nothing" in capsys.readouterr().err


class Holder:
    def __call__(self) -> None:
        """Be callable."""

    def method(self) -> None:
        """Be bound."""


def test_the_identity_of_what_callables_hold_is_shown() -> None:
    row, holder = [1], Holder()
    holder.row = row  # type: ignore[attr-defined]
    shown = Observer().show([row, functools.partial(len, row), holder, holder.method])
    assert str(shown) == (
        "[[1], partial(code(len), tuple(again(1)), dict()), Holder('row': again(1)), "
        "method(code(method), again(3))]"
    )


def test_an_object_met_after_others_were_forgotten_has_a_number_of_its_own() -> None:
    module = types.ModuleType("program")
    module.ROW = [1]  # type: ignore[attr-defined]
    new = [2]
    _, shown = state_of(module, [[0]], (new, new, module.ROW))
    assert len({str(part) for part in shown.parts}) == 3


def test_the_identity_of_a_default_is_shown() -> None:
    module = types.ModuleType("program")
    row = [1]

    def function(row: list[int] = row) -> None:
        """Have a default."""

    function.__module__ = "program"
    module.function = function  # type: ignore[attr-defined]
    state, shown = state_of(module, [], row)
    assert str(shown) == "again(0)" and "[1]" in str(state)
