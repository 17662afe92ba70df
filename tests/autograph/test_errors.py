"""Errors of the converter: what they show, and their family."""

from __future__ import annotations

import importlib.util
import pickle

import pytest

from autograph.errors import (
    AutographError,
    ConversionError,
    NoSourceError,
    StagingError,
    StaleSourceError,
    named_file,
    shows_line,
)
from tests.autograph.command_line import run_python


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


needs_ipython = pytest.mark.skipif(
    importlib.util.find_spec("IPython") is None, reason="IPython is not installed"
)

CELLS = [
    "import runtime as tf, warnings",
    "@tf.function\n"
    "def check(x):\n"
    "    if x > 3:\n"
    "        raise ValueError('too big')\n"
    "    return 12 // x",
    "for number in 5, 0:\n"
    "    try:\n"
    "        check(tf.constant(number))\n"
    "    except (ValueError, tf.errors.OpError) as error:\n"
    "        print(error, *getattr(error, '__notes__', ()))",
]
IN_IPYTHON = """\
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
for cell in {cells!r}:
    shell.run_cell(cell, store_history=True).raise_error()
"""


@needs_ipython
def test_an_error_of_a_graph_names_the_cell_once() -> None:
    shown = run_python("-c", IN_IPYTHON.format(cells=CELLS))
    assert "too big   Cell In[2], line 4, in check\n" in shown
    assert "Cell In[2], line 5, in check [operation" in shown
    assert shown.count("Cell In[") == 2
    assert "ipython" not in shown


def test_a_file_keeps_its_name() -> None:
    assert named_file("model.py") == 'File "model.py"'


@pytest.mark.parametrize("line", ['File "a.py", line 3, in f', "Cell In[12], line 3, in f"])
def test_a_message_that_has_a_line(line: str) -> None:
    assert shows_line(f"too big\n  {line}")
    assert not shows_line(f"the text {line}")
