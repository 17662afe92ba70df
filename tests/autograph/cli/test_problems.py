"""A problem with a file says where and what."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.autograph.cli.processes import run
from tests.autograph.cli.trees import CLIP, contents

BAD = [
    (b"x = 1\ny = '\xe9'\n", "2:6: byte 0xe9 is not valid utf-8", "    2 | y = '"),
    (b"# coding: nonsense\n", "1:11: unknown encoding", "    1 | # coding: nonsense\n"),
    (b"#!/bin/python\n# coding: rot13\n", "2:11: ", "    2 | # coding: rot13\n"),
    (b"# coding: ascii\nx = '\xc3\xa9'\n", "2:6: byte 0xc3 is not valid ascii", "x = '"),
    (
        b"\xef\xbb\xbf# coding: latin-1\n",
        "1:11: ",
        "mark of UTF-8, but declares latin-1",
    ),
    (b"x = 1\n\0\n", "2:1: a null byte", "UTF-8"),
    ("x = 1\n".encode("utf-16"), ": the file is UTF-16", "Save the file as UTF-8"),
    (b"def f():\n    return (1\n", "2:12: SyntaxError: '(' was never closed", "^"),
    (b"if x:\n    a\n  b\n", "3:4: IndentationError: unindent", "    3 |   b\n"),
    (b"if x:\n\ta\n        b\n", "3:", "TabError"),
    (b"return 1\n", "1:1: SyntaxError: 'return' outside function", "    1 | return 1\n"),
    (b"x = '\n", "1:5: SyntaxError: unterminated string literal", "    1 | x = '\n"),
    (b"(" * 500, "", "too many nested parentheses"),
    (b"x = " + b"-" * 100_000 + b"1\n", "", ""),
]


@pytest.mark.parametrize(("data", "place", "rest"), BAD, ids=range(len(BAD)))
def test_says_where_and_what(tmp_path: Path, data: bytes, place: str, rest: str) -> None:
    (tmp_path / "bad.py").write_bytes(data)
    (tmp_path / "good.py").write_text(CLIP)
    done = run("convert", ".", "-o", "out", cwd=tmp_path)
    message = done.stderr.decode()
    assert done.returncode == 2
    assert message.startswith("bad.py:")
    assert place in message and rest in message
    assert "Traceback" not in message
    assert list(contents(tmp_path / "out")) == ["good.py"]


def test_missing_file(tmp_path: Path) -> None:
    done = run("convert", "nowhere.py", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith(b"nowhere.py: No such file or directory\n")
