"""What `convert` leaves alone in a tree, and what it keeps of a file: real processes and files."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import autograph
from tests.autograph.cli import processes

ROOT = Path(autograph.__file__).parent.parent
CLIP = """\
def clip(x, limit):
    if x > limit:
        x = limit
    return x
"""
CONVERTED = autograph.convert_source(CLIP)


def run(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    return processes.run("convert", *arguments, cwd=cwd)


def write(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(CLIP)


def converted(folder: Path) -> set[str]:
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*.py")
        if path.is_file() and path.read_text() == CONVERTED
    }


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    write(tmp_path, "a.py", "pkg/b.py", "pkg/generated/c.py", "tests/d_pb2.py")
    return tmp_path


@pytest.mark.parametrize(
    "folder", ["build", "dist", "venv", "node_modules", "_build", "pkg/__pypackages__", ".hidden"]
)
def test_build_folder_is_left_alone(tree: Path, folder: str) -> None:
    write(tree, f"{folder}/x.py", f"{folder}/deep/y.py")
    assert run("-i", ".", cwd=tree).returncode == 0
    assert converted(tree) == {"a.py", "pkg/b.py", "pkg/generated/c.py", "tests/d_pb2.py"}


@pytest.mark.parametrize("mark", ["pyvenv.cfg", "conda-meta/history"])
def test_virtual_environment_of_any_name_is_left_alone(tree: Path, mark: str) -> None:
    write(tree, "env311/lib/python3.11/site.py", f"env311/{mark}")
    done = run("-i", ".", "--json", cwd=tree)
    assert "env311/lib/python3.11/site.py" not in converted(tree)
    assert json.loads(done.stdout)["left_out"] == [
        {"path": "env311", "reason": "a virtual environment"}
    ]
    assert b"1 left out" in done.stderr


def test_real_virtual_environment_is_left_alone(tree: Path) -> None:
    command = [sys.executable, "-m", "venv", "--without-pip", "py"]
    subprocess.run(command, cwd=tree, check=True)
    inside = next((tree / "py").glob("lib*/python*/site-packages"))
    write(inside, "x.py")
    run("-i", ".", cwd=tree)
    assert (inside / "x.py").read_text() == CLIP


def test_tree_that_is_named_is_converted_whatever_it_is_called(tree: Path) -> None:
    write(tree, "build/x.py", "build/lib/y.py")
    (tree / ".gitignore").write_text("build/\n")
    assert run("-i", "build", cwd=tree).returncode == 0
    assert converted(tree) == {"build/x.py", "build/lib/y.py"}


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
def test_what_git_ignores_is_left_alone(tree: Path, rules: str) -> None:
    (tree / ".gitignore").write_text(rules)
    assert run("-i", ".", cwd=tree).returncode == 0
    assert converted(tree) == RULES[rules]


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
@pytest.mark.parametrize("rules", RULES, ids=repr)
def test_git_ignores_the_same(tree: Path, rules: str) -> None:
    shutil.rmtree(tree / ".git")
    subprocess.run(["git", "init", "-q", "."], cwd=tree, check=True)
    (tree / ".gitignore").write_text(rules)
    names = [path.relative_to(tree).as_posix() for path in tree.rglob("*.py")]
    command = ["git", "check-ignore", *names]
    ignored = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    assert {*names} - {*ignored.stdout.split()} == RULES[rules]


def test_rules_of_inner_folders_weigh_more(tree: Path) -> None:
    (tree / ".gitignore").write_text("*.py\n")
    (tree / "pkg/.gitignore").write_text("!b.py\n")
    run("-i", ".", cwd=tree)
    assert converted(tree) == {"pkg/b.py"}


def test_rules_above_the_tree_hold(tree: Path) -> None:
    (tree / ".gitignore").write_text("pkg/generated/\n")
    run("-i", "pkg", cwd=tree)
    assert converted(tree) == {"pkg/b.py"}


def test_rules_above_the_project_do_not_hold(tree: Path) -> None:
    inner = tree / "inner"
    (inner / ".git").mkdir(parents=True)
    write(inner, "x.py")
    (tree / ".gitignore").write_text("x.py\n")
    run("-i", "inner", cwd=tree)
    assert converted(inner) == {"x.py"}


@pytest.mark.parametrize("mode", ["--check", "--diff", "-o"])
def test_other_ways_to_convert_leave_out_the_same(tree: Path, mode: str) -> None:
    write(tree, "venv/x.py")
    (tree / ".gitignore").write_text("pkg/\n")
    done = run(".", mode, *(["out"] if mode == "-o" else []), "--json", cwd=tree)
    paths = {each["path"] for each in json.loads(done.stdout)["files"]}
    assert paths == {"a.py", "tests/d_pb2.py"}


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
    def test_exclude_replaces_the_default(self, tree: Path, pattern: str, rest: set[str]) -> None:
        write(tree, "venv/x.py", ".hidden/y.py")
        (tree / ".gitignore").write_text("a.py\n")
        assert run("-i", ".", "--exclude", pattern, cwd=tree).returncode == 0
        assert converted(tree) == rest

    def test_extend_exclude_adds_to_the_default(self, tree: Path) -> None:
        write(tree, "venv/x.py")
        assert run("-i", ".", "--extend-exclude", "_pb2|/generated/", cwd=tree).returncode == 0
        assert converted(tree) == {"a.py", "pkg/b.py"}

    def test_force_exclude_holds_for_files_that_are_named(self, tree: Path) -> None:
        done = run("-i", "a.py", "tests/d_pb2.py", "--force-exclude", "_pb2", cwd=tree)
        assert done.returncode == 0
        assert converted(tree) == {"a.py"}
        assert b"1 left out" in done.stderr
        assert run("-i", "tests/d_pb2.py", "--exclude", "_pb2", cwd=tree).returncode == 0
        assert converted(tree) == {"a.py", "tests/d_pb2.py"}

    @pytest.mark.parametrize("option", ["--exclude", "--extend-exclude", "--force-exclude"])
    def test_pattern_that_is_none_is_an_error(self, tree: Path, option: str) -> None:
        done = run("-i", ".", option, "(", cwd=tree)
        assert done.returncode == 2
        assert option.encode() in done.stderr
        assert b"is no regular expression" in done.stderr
        assert not converted(tree)


class TestProjectFile:
    def test_settings_are_read_from_the_root_of_the_project(self, tree: Path) -> None:
        text = "[tool.autograph]\nextend-exclude = '_pb2'\nforce-exclude = '^/pkg/b'\n"
        (tree / "pyproject.toml").write_text(text)
        write(tree, "venv/x.py")
        assert run("-i", ".", cwd=tree / "tests").returncode == 0
        assert run("-i", "b.py", "generated", cwd=tree / "pkg").returncode == 0
        assert converted(tree) == {"pkg/generated/c.py"}

    def test_pattern_of_several_lines_is_verbose(self, tree: Path) -> None:
        text = "[tool.autograph]\nexclude = '''\n  /generated/  # not ours\n | _pb2\n'''\n"
        (tree / "pyproject.toml").write_text(text)
        assert run("-i", ".", cwd=tree).returncode == 0
        assert converted(tree) == {"a.py", "pkg/b.py"}

    def test_command_line_weighs_more(self, tree: Path) -> None:
        (tree / "pyproject.toml").write_text("[tool.autograph]\nexclude = 'pkg'\n")
        assert run("-i", ".", "--exclude", "tests", cwd=tree).returncode == 0
        assert converted(tree) == {"a.py", "pkg/b.py", "pkg/generated/c.py"}

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
    def test_setting_that_is_none_is_an_error(self, tree: Path, text: str, words: bytes) -> None:
        (tree / "pyproject.toml").write_text(text)
        done = run("-i", ".", cwd=tree)
        assert done.returncode == 2
        assert words in done.stderr
        assert b"pyproject.toml" in done.stderr
        assert not converted(tree)

    def test_other_tables_say_nothing(self, tree: Path) -> None:
        (tree / "pyproject.toml").write_text("[tool.black]\nexclude = '.*'\n")
        assert run("-i", ".", cwd=tree).returncode == 0
        assert len(converted(tree)) == 4


class TestLinks:
    def test_file_outside_of_the_tree_is_not_written_through_a_link(self, tree: Path) -> None:
        outside = tree.parent / f"{tree.name}_outside.py"
        outside.write_text(CLIP)
        (tree / "link.py").symlink_to(outside)
        done = run("-i", ".", cwd=tree)
        assert done.returncode == 0
        assert outside.read_text() == CLIP
        assert b"link.py: a link to a file, not followed" in done.stderr

    def test_file_that_is_left_out_is_not_written_through_a_link(self, tree: Path) -> None:
        write(tree, "venv/x.py")
        (tree / "pkg/x.py").symlink_to("../venv/x.py")
        assert run("-i", ".", cwd=tree).returncode == 0
        assert (tree / "venv/x.py").read_text() == CLIP

    def test_file_inside_is_converted_where_it_is(self, tree: Path) -> None:
        (tree / "link.py").symlink_to("pkg/b.py")
        assert run("-i", ".", cwd=tree).returncode == 0
        assert (tree / "link.py").is_symlink()
        assert (tree / "pkg/b.py").read_text() == CONVERTED

    def test_output_holds_the_text_behind_a_link(self, tree: Path) -> None:
        outside = tree.parent / f"{tree.name}_outside.py"
        outside.write_text(CLIP)
        (tree / "pkg/link.py").symlink_to(outside)
        assert run("pkg", "-o", "out", cwd=tree).returncode == 0
        assert (tree / "out/link.py").read_text() == CONVERTED
        assert not (tree / "out/link.py").is_symlink()
        assert outside.read_text() == CLIP

    def test_link_that_is_named_stays_a_link(self, tree: Path) -> None:
        (tree / "link.py").symlink_to("a.py")
        assert run("-i", "link.py", cwd=tree).returncode == 0
        assert (tree / "link.py").is_symlink()
        assert converted(tree) >= {"a.py"}


class TestWhatAFileKeeps:
    def test_hard_links_are_said(self, tree: Path) -> None:
        os.link(tree / "a.py", tree / "other.txt")
        done = run("-i", "a.py", cwd=tree)
        assert b"a.py: one of 2 hard links; the others keep the old text" in done.stderr
        assert (tree / "other.txt").read_text() == CLIP
        assert (tree / "a.py").read_text() == CONVERTED

    def test_single_name_is_not_mentioned(self, tree: Path) -> None:
        assert b"hard links" not in run("-i", "a.py", cwd=tree).stderr

    @pytest.mark.skipif(not hasattr(os, "setxattr"), reason="needs extended attributes")
    def test_extended_attributes_stay(self, tree: Path) -> None:
        try:
            os.setxattr(tree / "a.py", "user.author", b"me")
        except OSError:
            pytest.skip("the file system has no extended attributes")
        os.setxattr(tree / "a.py", "user.binary", bytes(range(256)))
        done = run("-i", "a.py", cwd=tree)
        assert os.getxattr(tree / "a.py", "user.author") == b"me"
        assert os.getxattr(tree / "a.py", "user.binary") == bytes(range(256))
        assert b"attributes" not in done.stderr

    def test_content_reaches_the_disk_before_the_rename(self, tree: Path) -> None:
        text = (
            "import os, runpy, sys\n"
            "order = []\n"
            "sync, replace = os.fsync, os.replace\n"
            "def audit(event, arguments):\n"
            "    if event == 'os.rename': order.append('rename')\n"
            "sys.addaudithook(audit)\n"
            "os.fsync = lambda fd: (order.append('sync'), sync(fd))\n"
            "sys.argv = ['autograph', 'convert', '-i', 'a.py']\n"
            "try: runpy.run_module('autograph', run_name='__main__')\n"
            "except SystemExit: pass\n"
            "print(order)\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", text],
            cwd=tree,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            check=True,
        )
        assert done.stdout.strip() == "['sync', 'rename']"
