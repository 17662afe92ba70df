"""Settings of a project, from its `pyproject.toml`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.autograph.cli.projects import converted, run, write


class TestProjectFile:
    def test_settings_are_read_from_the_root_of_the_project(self, project: Path) -> None:
        text = "[tool.autograph]\nextend-exclude = '_pb2'\nforce-exclude = '^/pkg/b'\n"
        (project / "pyproject.toml").write_text(text)
        write(project, "venv/x.py")
        assert run("-i", ".", cwd=project / "tests").returncode == 0
        assert run("-i", "b.py", "generated", cwd=project / "pkg").returncode == 0
        assert converted(project) == {"pkg/generated/c.py"}

    def test_pattern_of_several_lines_is_verbose(self, project: Path) -> None:
        text = "[tool.autograph]\nexclude = '''\n  /generated/  # not ours\n | _pb2\n'''\n"
        (project / "pyproject.toml").write_text(text)
        assert run("-i", ".", cwd=project).returncode == 0
        assert converted(project) == {"a.py", "pkg/b.py"}

    def test_command_line_weighs_more(self, project: Path) -> None:
        (project / "pyproject.toml").write_text("[tool.autograph]\nexclude = 'pkg'\n")
        assert run("-i", ".", "--exclude", "tests", cwd=project).returncode == 0
        assert converted(project) == {"a.py", "pkg/b.py", "pkg/generated/c.py"}

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("[tool.autograph]\nexclud = 'x'\n", b"there is no setting tool.autograph.exclud"),
            ("[tool.autograph]\nexclude = 3\n", b"tool.autograph.exclude is 3"),
            ("[tool.autograph]\nexclude = '('\n", b"is no regular expression"),
            ("[tool]\nautograph = 1\n", b"tool.autograph is no table"),
            ("[tool.autograph\n", b"cannot be read"),
        ],
    )
    def test_setting_that_is_none_is_an_error(self, project: Path, text: str, words: bytes) -> None:
        (project / "pyproject.toml").write_text(text)
        done = run("-i", ".", cwd=project)
        assert done.returncode == 2
        assert words in done.stderr
        assert b"pyproject.toml" in done.stderr
        assert not converted(project)

    def test_other_tables_say_nothing(self, project: Path) -> None:
        (project / "pyproject.toml").write_text("[tool.black]\nexclude = '.*'\n")
        assert run("-i", ".", cwd=project).returncode == 0
        assert len(converted(project)) == 4
