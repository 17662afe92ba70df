"""`autograph convert`: files and trees in, files and trees out."""

from __future__ import annotations

import json
import os
import stat
import subprocess
from pathlib import Path

import pytest

from tests.autograph.cli.processes import run, run_anew
from tests.autograph.cli.trees import CLIP, PLAIN, STAYS, contents, converted


class TestConvertOneFile:
    def test_prints_to_standard_output(self, tmp_path: Path) -> None:
        (tmp_path / "clip.py").write_text(CLIP)
        done = run_anew("convert", "clip.py", cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.decode() == converted(CLIP)
        assert "ag__.if_stmt(" in done.stdout.decode()
        assert "# keeps x below limit" in done.stdout.decode()

    def test_reads_standard_input(self, tmp_path: Path) -> None:
        done = run_anew("convert", "-", cwd=tmp_path, stdin=CLIP.encode())
        assert (done.returncode, done.stdout.decode()) == (0, converted(CLIP))

    def test_converting_the_result_changes_nothing(self, tmp_path: Path) -> None:
        once = run("convert", "-", cwd=tmp_path, stdin=CLIP.encode()).stdout
        assert run("convert", "-", cwd=tmp_path, stdin=once).stdout == once
        assert run("convert", "-", "--check", cwd=tmp_path, stdin=once).returncode == 0

    def test_a_text_with_nothing_to_convert_comes_back_as_it_was(self, tmp_path: Path) -> None:
        for data in (b"", PLAIN.encode(), b"# only a comment", b"\n\n"):
            assert run("convert", "-", cwd=tmp_path, stdin=data).stdout == data

    def test_writes_a_file_and_keeps_its_mode(self, tmp_path: Path) -> None:
        script = tmp_path / "clip.py"
        script.write_text(CLIP)
        script.chmod(0o750)
        done = run("convert", "clip.py", "-o", "out/new.py", cwd=tmp_path)
        assert (done.returncode, done.stdout) == (0, b"")
        assert (tmp_path / "out/new.py").read_text() == converted(CLIP)
        assert stat.S_IMODE((tmp_path / "out/new.py").stat().st_mode) == 0o750
        assert script.read_text() == CLIP

    @pytest.mark.parametrize("out", ["there", "new/"])
    def test_a_folder_as_output_keeps_the_name(self, tmp_path: Path, out: str) -> None:
        (tmp_path / "clip.py").write_text(CLIP)
        (tmp_path / "there").mkdir()
        assert run("convert", "clip.py", "-o", out, cwd=tmp_path).returncode == 0
        assert (tmp_path / out / "clip.py").read_text() == converted(CLIP)

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root writes files of others")
    def test_the_owner_of_a_file_stays(self, tmp_path: Path) -> None:
        (tmp_path / "clip.py").write_text(CLIP)
        os.chown(tmp_path / "clip.py", 1234, 1234)
        assert run("convert", "-i", "clip.py", cwd=tmp_path).returncode == 0
        assert (tmp_path / "clip.py").stat().st_uid == 1234

    def test_replaces_the_file_behind_a_link_and_keeps_the_link(self, tmp_path: Path) -> None:
        (tmp_path / "real.py").write_text(CLIP)
        (tmp_path / "link.py").symlink_to("real.py")
        assert run("convert", "-i", "link.py", cwd=tmp_path).returncode == 0
        assert (tmp_path / "link.py").is_symlink()
        assert (tmp_path / "real.py").read_text() == converted(CLIP)


class TestOverwriting:
    def test_the_input_is_not_overwritten_unless_told(self, tmp_path: Path) -> None:
        (tmp_path / "clip.py").write_text(CLIP)
        (tmp_path / "link.py").symlink_to("clip.py")
        for out in ("clip.py", "./clip.py", "link.py", "."):
            done = run("convert", "clip.py", "-o", out, cwd=tmp_path)
            assert done.returncode == 2
            assert b"is an input itself" in done.stderr
            assert b"-i" in done.stderr
        assert (tmp_path / "clip.py").read_text() == CLIP

    def test_nor_is_a_tree(self, tree: Path) -> None:
        before = contents(tree)
        assert run("convert", "src", "-o", "src", cwd=tree).returncode == 2
        assert contents(tree) == before

    def test_nor_another_input_of_the_same_run(self, tmp_path: Path) -> None:
        (tmp_path / "a/a").mkdir(parents=True)
        (tmp_path / "a/x.py").write_text(CLIP)
        (tmp_path / "a/a/x.py").write_text(PLAIN)
        done = run("convert", "a", "-o", ".", cwd=tmp_path)
        assert done.returncode == 2
        assert b"a/a/x.py: a/x.py is an input itself" in done.stderr
        assert (tmp_path / "a/x.py").read_text() == CLIP
        assert (tmp_path / "x.py").read_text() == converted(CLIP)

    def test_in_place_writes_what_changes_and_leaves_the_rest(self, tree: Path) -> None:
        plain = tree / "src/pkg/plain.py"
        before = (plain.stat().st_mtime_ns, plain.stat().st_ino)
        done = run("convert", "src", "-i", cwd=tree)
        assert done.returncode == 0
        assert b"2 converted, 2 unchanged" in done.stderr
        assert (tree / "src/pkg/deep/clip.py").read_text() == converted(CLIP)
        assert (plain.stat().st_mtime_ns, plain.stat().st_ino) == before

    @pytest.mark.parametrize(
        "arguments",
        [
            ["src"],
            ["src/pkg/clip.py", "src/pkg/plain.py"],
            ["src/pkg/clip.py", "src/pkg/plain.py", "-o", "out"],
            ["src", "--check", "-o", "out"],
            ["src", "--diff", "-i"],
            ["-", "-i"],
            ["src", "-i", "-o", "out"],
            [],
        ],
    )
    def test_contradictions_are_refused(self, tree: Path, arguments: list[str]) -> None:
        before = contents(tree)
        done = run("convert", *arguments, cwd=tree)
        assert done.returncode == 2
        assert b"usage: autograph convert" in done.stderr
        assert contents(tree) == before


class TestConvertTree:
    def test_mirrors_the_python_files(self, tree: Path) -> None:
        done = run("convert", "src", "-o", "out", cwd=tree)
        assert (done.returncode, done.stdout) == (0, b"")
        assert contents(tree / "out") == {
            "pkg/__init__.py": b"",
            "pkg/clip.py": converted(CLIP).encode(),
            "pkg/deep/clip.py": converted(CLIP).encode(),
            "pkg/plain.py": PLAIN.encode(),
        }

    def test_an_output_inside_the_tree_is_no_input(self, tree: Path) -> None:
        for _ in range(2):
            assert run("convert", ".", "-o", "build", cwd=tree).returncode == 0
        assert not (tree / "build/build").exists()

    def test_hidden_folders_caches_and_linked_folders_are_left_out(self, tree: Path) -> None:
        for folder in (".venv", "__pycache__"):
            (tree / "src" / folder).mkdir()
            (tree / "src" / folder / "x.py").write_text("syntax error")
        (tree / "src/pkg/loop").symlink_to(tree / "src")
        done = run("convert", "src", "-o", "out", cwd=tree)
        assert done.returncode == 0
        assert b"src/pkg/loop: a link to a folder, not followed" in done.stderr
        assert len(contents(tree / "out")) == 4

    def test_one_bad_file_does_not_keep_the_others(self, tree: Path) -> None:
        (tree / "src/bad.py").write_text("def f(:\n")
        (tree / "src/zzz.py").write_text(CLIP)
        done = run("convert", "src", "-o", "out", cwd=tree)
        assert done.returncode == 2
        assert b"src/bad.py:1:7: SyntaxError: invalid syntax" in done.stderr
        assert not (tree / "out/bad.py").exists()
        assert (tree / "out/zzz.py").read_text() == converted(CLIP)


class TestCheckAndDiff:
    def test_check_says_what_would_change_and_writes_nothing(self, tree: Path) -> None:
        before = contents(tree)
        done = run("convert", "--check", "src", cwd=tree)
        assert (done.returncode, done.stdout) == (1, b"")
        assert b"would convert src/pkg/clip.py\n" in done.stderr
        assert b"plain.py" not in done.stderr
        assert contents(tree) == before

    def test_check_passes_where_nothing_would_change(self, tree: Path) -> None:
        run("convert", "-i", "src", cwd=tree)
        assert run("convert", "--check", "src", cwd=tree).returncode == 0

    def test_an_error_weighs_more_than_a_change(self, tree: Path) -> None:
        (tree / "src/bad.py").write_text("(")
        assert run("convert", "--check", "src", cwd=tree).returncode == 2

    def test_a_diff_is_one_that_git_applies(self, tmp_path: Path) -> None:
        crlf = tmp_path / "crlf.py"
        crlf.write_bytes(b"\xef\xbb\xbf" + CLIP.replace("\n", "\r\n").encode() + b"# \xc3\xa9")
        done = run("convert", "--diff", "crlf.py", cwd=tmp_path)
        assert done.returncode == 0
        wanted = run("convert", "crlf.py", cwd=tmp_path).stdout
        apply = ["git", "apply", "--whitespace=nowarn", "-"]
        subprocess.run(apply, cwd=tmp_path, input=done.stdout, check=True)
        assert crlf.read_bytes() == wanted

    def test_diff_and_check_together(self, tree: Path) -> None:
        done = run("convert", "--diff", "--check", "src", cwd=tree)
        assert done.returncode == 1
        assert done.stdout.count(b"+++ b/src/pkg/") == 2


class TestJson:
    def test_describes_the_run(self, tree: Path) -> None:
        (tree / "src/bad.py").write_text("x = = 1\n")
        (tree / "src/stays.py").write_text(STAYS)
        done = run("convert", "src", "-o", "out", "--json", cwd=tree)
        document = json.loads(done.stdout)
        files = {each["path"]: each for each in document["files"]}
        assert done.returncode == 2
        assert document["changed"] == sum(each["changed"] for each in files.values())
        assert files["src/pkg/clip.py"]["written_to"] == "out/pkg/clip.py"
        assert files["src/pkg/plain.py"]["changed"] is False
        [refusal] = files["src/stays.py"]["refusals"]
        assert (refusal["line"], refusal["col"]) == (3, 5)
        assert refusal["reason"] and refusal["remedy"]
        [error] = document["errors"]
        assert (error["path"], error["line"], error["col"]) == ("src/bad.py", 1, 5)
        assert error["message"] == "SyntaxError: invalid syntax"
        assert error["source_line"] == "x = = 1"

    def test_holds_the_text_or_the_diff_where_those_would_be_printed(self, tmp_path: Path) -> None:
        (tmp_path / "clip.py").write_text(CLIP)
        document = json.loads(run("convert", "clip.py", "--json", cwd=tmp_path).stdout)
        assert document["files"][0]["text"] == converted(CLIP)
        document = json.loads(run("convert", "clip.py", "--json", "--diff", cwd=tmp_path).stdout)
        assert document["files"][0]["diff"].startswith("--- a/clip.py\n")
