"""Cells of a notebook, converted; a plain object stands in for the notebook."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph import ipython
from autograph.conversion.libraries import is_converted
from autograph.texts import register_text

CLIP = """\
def clip(x, limit):
    # keeps x below limit
    if x > limit:
        x = limit
    return x
"""


class Notebook:
    def __init__(self) -> None:
        self.user_ns: dict[str, Any] = {"__name__": "__main__"}
        ipython.load_ipython_extension(self)

    def register_magic_function(
        self, func: Callable[[str, str], None], magic_kind: str, magic_name: str
    ) -> None:
        assert (magic_kind, magic_name) == ("cell", "autograph")
        self.run = func


def test_the_functions_of_a_cell_are_converted() -> None:
    notebook = Notebook()
    notebook.run("", CLIP)
    clip = notebook.user_ns["clip"]
    assert "ag__" in clip.__code__.co_names
    assert (clip(5, 3), clip(2, 3)) == (3, 2)


def test_the_last_expression_is_displayed(capsys: pytest.CaptureFixture[str]) -> None:
    notebook = Notebook()
    notebook.run("", CLIP + "clip(5, 3)\n")
    assert capsys.readouterr().out == "3\n"
    notebook.run("", "clip(5, 3);\n")
    notebook.run("", "")
    assert capsys.readouterr().out == ""


def test_show_prints_the_converted_text(capsys: pytest.CaptureFixture[str]) -> None:
    Notebook().run("--show", CLIP)
    shown = capsys.readouterr().out
    assert "ag__.if_stmt(" in shown
    assert "# keeps x below limit" in shown


def test_source_and_tracebacks_are_the_users() -> None:
    notebook = Notebook()
    notebook.run("", CLIP.replace("x = limit", "x = limit / 0"))
    clip = notebook.user_ns["clip"]
    assert inspect.getsource(clip) == CLIP.replace("x = limit", "x = limit / 0")
    with pytest.raises(ZeroDivisionError) as caught:
        clip(5, 3)
    last = traceback.extract_tb(caught.tb)[-1]
    assert (last.lineno, last.line) == (4, "x = limit / 0")


def test_functions_of_other_cells_convert_as_before() -> None:
    notebook = Notebook()
    notebook.run("", CLIP)
    text = CLIP.replace("clip", "cut")
    exec(compile(text, register_text(text), "exec"), notebook.user_ns)
    clip, cut = notebook.user_ns["clip"], notebook.user_ns["cut"]
    assert is_converted(clip)
    assert not is_converted(cut)
    staged = tf.function(lambda x: (clip(x, 3), cut(x, 4)))
    assert [int(each) for each in staged(tf.constant(9))] == [3, 4]


def test_an_option_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="--shown; it has --show, --strict"):
        Notebook().run("--shown", CLIP)
