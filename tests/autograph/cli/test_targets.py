"""What `convert` leaves alone in a tree, and what it keeps of a file: real processes and files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.autograph.cli.projects import CLIP, CONVERTED, converted, run, write


@pytest.mark.parametrize(
    "folder", ["build", "dist", "venv", "node_modules", "_build", "pkg/__pypackages__", ".hidden"]
)
def test_build_folder_is_left_alone(project: Path, folder: str) -> None:
    write(project, f"{folder}/x.py", f"{folder}/deep/y.py")
    assert run("-i", ".", cwd=project).returncode == 0
    assert converted(project) == {"a.py", "pkg/b.py", "pkg/generated/c.py", "tests/d_pb2.py"}


@pytest.mark.parametrize("mark", ["pyvenv.cfg", "conda-meta/history"])
def test_virtual_environment_of_any_name_is_left_alone(project: Path, mark: str) -> None:
    write(project, "env311/lib/python3.11/site.py", f"env311/{mark}")
    done = run("-i", ".", "--json", cwd=project)
    assert "env311/lib/python3.11/site.py" not in converted(project)
    assert json.loads(done.stdout)["left_out"] == [
        {"path": "env311", "reason": "a virtual environment"}
    ]
    assert b"1 left out" in done.stderr


def test_real_virtual_environment_is_left_alone(project: Path) -> None:
    command = [sys.executable, "-m", "venv", "--without-pip", "py"]
    subprocess.run(command, cwd=project, check=True)
    inside = next((project / "py").glob("lib*/python*/site-packages"))
    write(inside, "x.py")
    run("-i", ".", cwd=project)
    assert (inside / "x.py").read_text() == CLIP


def test_tree_that_is_named_is_converted_whatever_it_is_called(project: Path) -> None:
    write(project, "build/x.py", "build/lib/y.py")
    (project / ".gitignore").write_text("build/\n")
    assert run("-i", "build", cwd=project).returncode == 0
    assert converted(project) == {"build/x.py", "build/lib/y.py"}


@pytest.mark.parametrize("mode", ["--check", "--diff", "-o"])
def test_other_ways_to_convert_leave_out_the_same(project: Path, mode: str) -> None:
    write(project, "venv/x.py")
    (project / ".gitignore").write_text("pkg/\n")
    done = run(".", mode, *(["out"] if mode == "-o" else []), "--json", cwd=project)
    paths = {each["path"] for each in json.loads(done.stdout)["files"]}
    assert paths == {"a.py", "tests/d_pb2.py"}


class TestLinks:
    def test_file_outside_of_the_tree_is_not_written_through_a_link(self, project: Path) -> None:
        outside = project.parent / f"{project.name}_outside.py"
        outside.write_text(CLIP)
        (project / "link.py").symlink_to(outside)
        done = run("-i", ".", cwd=project)
        assert done.returncode == 0
        assert outside.read_text() == CLIP
        assert b"link.py: a link to a file, not followed" in done.stderr

    def test_file_that_is_left_out_is_not_written_through_a_link(self, project: Path) -> None:
        write(project, "venv/x.py")
        (project / "pkg/x.py").symlink_to("../venv/x.py")
        assert run("-i", ".", cwd=project).returncode == 0
        assert (project / "venv/x.py").read_text() == CLIP

    def test_file_inside_is_converted_where_it_is(self, project: Path) -> None:
        (project / "link.py").symlink_to("pkg/b.py")
        assert run("-i", ".", cwd=project).returncode == 0
        assert (project / "link.py").is_symlink()
        assert (project / "pkg/b.py").read_text() == CONVERTED

    def test_output_holds_the_text_behind_a_link(self, project: Path) -> None:
        outside = project.parent / f"{project.name}_outside.py"
        outside.write_text(CLIP)
        (project / "pkg/link.py").symlink_to(outside)
        assert run("pkg", "-o", "out", cwd=project).returncode == 0
        assert (project / "out/link.py").read_text() == CONVERTED
        assert not (project / "out/link.py").is_symlink()
        assert outside.read_text() == CLIP

    def test_link_that_is_named_stays_a_link(self, project: Path) -> None:
        (project / "link.py").symlink_to("a.py")
        assert run("-i", "link.py", cwd=project).returncode == 0
        assert (project / "link.py").is_symlink()
        assert converted(project) >= {"a.py"}


class TestWhatAFileKeeps:
    def test_hard_links_are_said(self, project: Path) -> None:
        os.link(project / "a.py", project / "other.txt")
        done = run("-i", "a.py", cwd=project)
        assert b"a.py: one of 2 hard links; the others keep the old text" in done.stderr
        assert (project / "other.txt").read_text() == CLIP
        assert (project / "a.py").read_text() == CONVERTED

    def test_single_name_is_not_mentioned(self, project: Path) -> None:
        assert b"hard links" not in run("-i", "a.py", cwd=project).stderr
