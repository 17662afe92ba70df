"""`autograph show`: one function, as a user runs it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.autograph.cli.processes import in_terminal, run
from tests.autograph.cli.trees import CLIP, NET


class TestShow:
    @pytest.fixture
    def package(self, tmp_path: Path) -> Path:
        (tmp_path / "pkg").mkdir()
        (tmp_path / "pkg/__init__.py").write_text("")
        (tmp_path / "pkg/net.py").write_text(NET)
        return tmp_path

    @pytest.mark.parametrize("where", ["pkg.net", "pkg/net.py"])
    def test_prints_one_function(self, package: Path, where: str) -> None:
        done = run("show", f"{where}:clip", cwd=package)
        assert done.returncode == 0
        assert done.stdout.startswith(b"def clip(x, limit):\n    # keeps x below limit\n")
        assert b"Net" not in done.stdout
        assert b"\x1b" not in done.stdout

    def test_methods_are_shown_without_their_indentation(self, package: Path) -> None:
        assert run("show", "pkg.net:Net.call", cwd=package).stdout.startswith(b"def call(self, x):")

    def test_side_by_side(self, package: Path) -> None:
        done = run("show", "pkg.net:clip", "--side-by-side", cwd=package)
        rows = [line.partition(" |")[::2] for line in done.stdout.decode().splitlines()]
        left = [row[0].strip() for row in rows if row[0].strip()]
        assert left == [line.strip() for line in CLIP.splitlines()]
        same = {before.strip() for before, after in rows if before.strip() == after.strip()}
        assert {"def clip(x, limit):", "# keeps x below limit", "x = limit", "return x"} <= same

    @pytest.mark.parametrize("option", [(), ("--side-by-side",)])
    def test_colored_in_a_terminal(self, package: Path, option: tuple[str, ...]) -> None:
        command = [sys.executable, "-m", "autograph", "show", "pkg.net:clip", *option]
        shown = in_terminal(command, package)
        assert b"\x1b[" in shown
        assert b"clip" in shown

    @pytest.mark.parametrize(
        ("named", "message"),
        [
            ("pkg.net:clop", b"there is no function clop\n    Did you mean clip?"),
            ("pkg.nut:clip", b"there is no module pkg.nut\n"),
            ("clip", b"this names no function\n"),
            ("pkg/nut.py:clip", b"pkg/nut.py: No such file or directory\n"),
            ("math:sin", b"the module has no source file\n"),
        ],
    )
    def test_what_is_not_there(self, package: Path, named: str, message: bytes) -> None:
        done = run("show", named, cwd=package)
        assert done.returncode == 2
        assert message in done.stderr
