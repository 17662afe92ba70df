"""Conversions of functions on disk: another process needs no parsers, and gets the same text."""

import os
import subprocess
import sys

import pytest

from autograph.conversion import stored_texts
from autograph.conversion_result import Enclosing

pytestmark = pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owners")

TEXT = "def f(x):\n    if x > 0:\n        yield x\n    return x and y\n"

PROGRAM = """
import sys
import autograph
import helpers
import runtime as tf

def absolute(x):
    if x > 0:
        return x
    return helpers.negative(x)

print(int(tf.function(absolute)(tf.constant(-3))), "libcst" in sys.modules)
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return tmp_path / "autograph-numpy-conversions"


def run(folder, helpers, **environment):
    (folder / "program.py").write_text(PROGRAM)
    (folder / "helpers.py").write_text(helpers)
    names = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "XDG_CACHE_HOME": str(folder)}
    return subprocess.run(
        [sys.executable, "program.py"],
        cwd=folder,
        env={**names, "PYTHONPATH": os.pathsep.join(map(str, sys.path)), **environment},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()


def test_another_process_needs_no_parsers(tmp_path):
    helpers = "def negative(x):\n    return -x\n"
    assert run(tmp_path, helpers) == ["3", "True"]
    assert run(tmp_path, helpers) == ["3", "False"]
    assert run(tmp_path, helpers.replace("-x", "x * 2 if x > 9 else x * -5")) == ["15", "True"]


def test_nothing_is_written_where_python_writes_no_bytecode(tmp_path):
    helpers = "def negative(x):\n    return -x\n"
    for _ in range(2):
        assert run(tmp_path, helpers, PYTHONDONTWRITEBYTECODE="1") == ["3", "True"]


def test_a_stored_conversion_equals_the_new_one(place):
    new = stored_texts.convert(TEXT, "f.py", Enclosing(bound=frozenset({"y"})))
    (file,) = place.iterdir()
    assert stored_texts.convert(TEXT, "f.py", Enclosing(bound=frozenset({"y"}))) == new
    assert new.changed
    assert new.spans
    assert new.refusals
    assert [each.name for each in place.iterdir()] == [file.name]


def test_what_surrounds_a_function_is_part_of_the_key(place):
    stored_texts.convert(TEXT, "f.py", Enclosing())
    stored_texts.convert(TEXT, "f.py", Enclosing(partial=frozenset({"y"})))
    stored_texts.convert(TEXT, "f.py", Enclosing(annotates=False))
    stored_texts.convert(TEXT + "\n", "f.py", Enclosing())
    assert len(list(place.iterdir())) == 4


def test_a_damaged_file_is_converted_again(place):
    new = stored_texts.convert(TEXT, "f.py", Enclosing())
    (file,) = place.iterdir()
    file.write_bytes(b"damaged")
    assert stored_texts.convert(TEXT, "f.py", Enclosing()) == new
