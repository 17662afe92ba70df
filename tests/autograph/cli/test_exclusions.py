"""Patterns of files that are left out, on the command line and in `.gitignore`."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.autograph.cli.projects import converted, run, write

RULES = {
    "*_pb2.py": {"a.py", "pkg/b.py", "pkg/generated/c.py"},
    "generated/": {"a.py", "pkg/b.py", "tests/d_pb2.py"},
    "/generated/": {"a.py", "pkg/b.py", "pkg/generated/c.py", "tests/d_pb2.py"},
    "pkg/*\n!pkg/b.py": {"a.py", "pkg/b.py", "tests/d_pb2.py"},
    "/*.py": {"pkg/b.py", "pkg/generated/c.py", "tests/d_pb2.py"},
    "**/c.py\n# a.py\n\\#": {"a.py", "pkg/b.py", "tests/d_pb2.py"},
    "!\n[z-a]\na.py\n\\": {"pkg/b.py", "pkg/generated/c.py", "tests/d_pb2.py"},
}


@pytest.mark.parametrize("rules", RULES, ids=repr)
def test_what_git_ignores_is_left_alone(project: Path, rules: str) -> None:
    (project / ".gitignore").write_text(rules)
    assert run("-i", ".", cwd=project).returncode == 0
    assert converted(project) == RULES[rules]


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
@pytest.mark.parametrize("rules", RULES, ids=repr)
def test_git_ignores_the_same(project: Path, rules: str) -> None:
    shutil.rmtree(project / ".git")
    subprocess.run(["git", "init", "-q", "."], cwd=project, check=True)
    (project / ".gitignore").write_text(rules)
    names = [path.relative_to(project).as_posix() for path in project.rglob("*.py")]
    command = ["git", "check-ignore", *names]
    ignored = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert {*names} - {*ignored.stdout.split()} == RULES[rules]


def test_rules_of_inner_folders_weigh_more(project: Path) -> None:
    (project / ".gitignore").write_text("*.py\n")
    (project / "pkg/.gitignore").write_text("!b.py\n")
    run("-i", ".", cwd=project)
    assert converted(project) == {"pkg/b.py"}


def test_rules_above_the_tree_hold(project: Path) -> None:
    (project / ".gitignore").write_text("pkg/generated/\n")
    run("-i", "pkg", cwd=project)
    assert converted(project) == {"pkg/b.py"}


def test_rules_above_the_project_do_not_hold(project: Path) -> None:
    inner = project / "inner"
    (inner / ".git").mkdir(parents=True)
    write(inner, "x.py")
    (project / ".gitignore").write_text("x.py\n")
    run("-i", "inner", cwd=project)
    assert converted(inner) == {"x.py"}


class TestPatterns:
    @pytest.mark.parametrize(
        ("pattern", "rest"),
        [
            ("/generated/", {"a.py", "pkg/b.py", "tests/d_pb2.py", "venv/x.py"}),
            ("^/pkg/", {"a.py", "tests/d_pb2.py", "venv/x.py"}),
            (r"_pb2\.py$", {"a.py", "pkg/b.py", "pkg/generated/c.py", "venv/x.py"}),
            ("^$", {"a.py", "pkg/b.py", "pkg/generated/c.py", "tests/d_pb2.py", "venv/x.py"}),
        ],
    )
    def test_exclude_replaces_the_default(
        self, project: Path, pattern: str, rest: set[str]
    ) -> None:
        write(project, "venv/x.py", ".hidden/y.py")
        (project / ".gitignore").write_text("a.py\n")
        assert run("-i", ".", "--exclude", pattern, cwd=project).returncode == 0
        assert converted(project) == rest

    def test_extend_exclude_adds_to_the_default(self, project: Path) -> None:
        write(project, "venv/x.py")
        assert run("-i", ".", "--extend-exclude", "_pb2|/generated/", cwd=project).returncode == 0
        assert converted(project) == {"a.py", "pkg/b.py"}

    def test_force_exclude_holds_for_files_that_are_named(self, project: Path) -> None:
        done = run("-i", "a.py", "tests/d_pb2.py", "--force-exclude", "_pb2", cwd=project)
        assert done.returncode == 0
        assert converted(project) == {"a.py"}
        assert b"1 left out" in done.stderr
        assert run("-i", "tests/d_pb2.py", "--exclude", "_pb2", cwd=project).returncode == 0
        assert converted(project) == {"a.py", "tests/d_pb2.py"}

    @pytest.mark.parametrize("option", ["--exclude", "--extend-exclude", "--force-exclude"])
    def test_pattern_that_is_none_is_an_error(self, project: Path, option: str) -> None:
        done = run("-i", ".", option, "(", cwd=project)
        assert done.returncode == 2
        assert option.encode() in done.stderr
        assert b"is no regular expression" in done.stderr
        assert not converted(project)
