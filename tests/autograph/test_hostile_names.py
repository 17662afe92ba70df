"""Names of files, functions and variables are data: converted code never runs them."""

from __future__ import annotations

import importlib
import os
import sys
import traceback
import types
from pathlib import Path
from typing import Any

import pytest

import autograph
from tests.autograph.cli.processes import run

ESCAPE = "raise SystemExit"
FILES = [
    f"a\n{ESCAPE}\n#.py",
    f"a\r{ESCAPE}\r#.py",
    f"\u2028{ESCAPE}#.py",
    os.fsdecode(b"caf\xe9.py"),
    "quo\"te'.py",
    'triple""".py',
    "{x}%s.py",
    "back\\slash.py",
    "\x1b[31m[bold]red.py",
]
NAMES = ["x²", "ﬁt", "a\0b", f"a\n{ESCAPE}", os.fsdecode(b"caf\xe9"), "\ud800", "", "class", "ag__"]
TEXT = """
def double(x):
    if x > 0:
        y = x * 2
    else:
        y = -x
    return y

def ﬁt(ﬂag):
    while ﬂag > 3:
        ﬂag = ﬂag - 2
    return ﬂag

class Ä:
    def __ﬁx(self, ªb):
        if ªb > 0:
            ªb = ªb + 1
        return ªb

    def run(self, x):
        return self.__ﬁx(x)

def broken(x):
    if x > 0:
        x = x.nothing
    return x
"""


@pytest.fixture(params=FILES, ids=ascii)
def module(request: pytest.FixtureRequest, tmp_path: Path) -> types.ModuleType:
    path = tmp_path / request.param
    path.write_text(TEXT)
    found = types.ModuleType("hostile")
    found.__file__ = str(path)
    exec(compile(TEXT, str(path), "exec"), found.__dict__)
    return found


def test_function_of_a_file_of_any_name_converts(module):
    assert [autograph.to_graph(module.double)(x) for x in (3, -3)] == [6, 3]
    assert "ag__.if_stmt" in autograph.to_code(module.double)


def test_letters_that_python_normalizes_name_the_same_variable(module):
    assert autograph.to_graph(module.fit)(8) == module.fit(8) == 2
    instance = module.Ä()
    assert autograph.to_graph(module.Ä.run)(instance, 8) == instance.run(8) == 9


def test_error_in_a_file_of_any_name_shows_its_line(module):
    with pytest.raises(AttributeError) as caught:
        autograph.to_graph(module.broken)(1)
    wrong = TEXT[: TEXT.index("x.nothing")].count("\n") + 1
    assert traceback.extract_tb(caught.value.__traceback__)[-1].lineno == wrong


@pytest.mark.parametrize("name", FILES, ids=ascii)
@pytest.mark.parametrize("options", [(), ("--diff",), ("--json",), ("-i",)], ids=str)
def test_command_line_takes_a_file_of_any_name(name, options, tmp_path):
    (tmp_path / name).write_text(TEXT)
    done = run("convert", *options, name, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert b"Traceback" not in done.stderr
    if options == ("-i",):
        space: dict[str, Any] = {}
        exec(compile((tmp_path / name).read_text(), "converted", "exec"), space)
        assert space["double"](3) == 6


@pytest.mark.parametrize("number", range(len(FILES)))
def test_module_in_a_directory_of_any_name_is_imported_converted(number, tmp_path, monkeypatch):
    directory = tmp_path / FILES[number]
    directory.mkdir()
    (directory / f"hostile{number}.py").write_text(TEXT)
    monkeypatch.syspath_prepend(str(directory))
    for _ in range(2):  # converted, then read from the cache
        with autograph.importing(f"hostile{number}"):
            found = importlib.import_module(f"hostile{number}")
        assert found.__file__ == str(directory / f"hostile{number}.py")
        assert [found.double(3), found.fit(8), found.Ä().run(8)] == [6, 2, 9]
        del sys.modules[f"hostile{number}"]


@pytest.mark.parametrize("name", ["a\nraise SystemExit", "quo'te", os.fsdecode(b"caf\xe9"), "a b"])
def test_name_that_no_import_can_have_is_refused(name):
    with pytest.raises(ValueError, match="is not the dotted name of a module"):
        autograph.install_import_hook(name)


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_function_of_any_name_converts(name):
    def inner(x):
        if x > 0:
            x = x * 2
        return x

    def outer(x, k=3):
        return inner(x) + k

    for function in (inner, outer):
        function.__name__ = function.__qualname__ = name
    changed = autograph.to_graph(outer)
    assert changed(2) == outer(2) == 7
    assert changed.__name__ == name
