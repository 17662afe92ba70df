"""A staged value that fails in a statement which stayed Python: the error says so."""

from __future__ import annotations

import importlib
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import autograph
import runtime as tf

PACKAGE = Path(autograph.__file__).parent


def failure(function: Callable[..., Any], *arguments: Any) -> BaseException:
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError) as caught:
        tf.function(function)(*arguments)
    return caught.value


def test_modules_converted_on_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "def f(x):\n    global y\n    if x > 0:\n        del y\n    return x\n"
    (tmp_path / "deleting_module.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    with autograph.importing("deleting_module"):
        module = importlib.import_module("deleting_module")
    try:
        shown = str(failure(module.f, tf.constant(1)))
    finally:
        del sys.modules["deleting_module"]
    assert "This `if` stays Python: it deletes a variable" in shown
    assert 'deleting_module.py", line 3' in shown


class Thing:
    def __init__(self, x: Any) -> None:
        self.x = x

    @property
    def value(self) -> Any:
        if self.x > 0:
            return int(self.x) if helper(self.x) else 1
        return 2


@autograph.do_not_convert
def helper(x: Any) -> bool:
    return bool(x)


def uses_thing(x: Any) -> Any:
    for _ in range(2):
        if x is not None:
            x = x + Thing(x).value
    return x


def test_tracebacks_hold_no_frames_of_the_converter() -> None:
    frames = traceback.extract_tb(failure(uses_thing, tf.constant(1)).__traceback__)
    own = [(each.name, each.line) for each in frames if each.filename == __file__]
    assert own[1:] == [
        ("uses_thing", "for _ in range(2):"),
        ("uses_thing", "if x is not None:"),
        ("uses_thing", "x = x + Thing(x).value"),
        ("value", "if self.x > 0:"),
        ("value", "return int(self.x) if helper(self.x) else 1"),
        ("helper", "return bool(x)"),
    ]
    inner = frames[[each.name for each in frames].index("uses_thing") :]
    assert not [each for each in inner if Path(each.filename).is_relative_to(PACKAGE)]


def test_errors_of_the_user_lose_the_frames_of_the_converter_too() -> None:
    def fails(x: Any) -> Any:
        if x is not None:
            raise KeyError("mine")
        return x

    with pytest.raises(KeyError) as caught:
        tf.function(lambda x: fails(x))(tf.constant(1))
    frames = traceback.extract_tb(caught.value.__traceback__)
    inner = frames[[each.name for each in frames].index("<lambda>") :]
    assert {each.filename for each in inner} == {__file__}
