"""The command line, run as a user runs it: real processes, real files."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import socket
import stat
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

import autograph
from tests.autograph.cli.processes import environment, run, run_anew

CLIP = """\
def clip(x, limit):
    # keeps x below limit
    if x > limit:
        x = limit
    return x
"""
PLAIN = "ANSWER = 42  # nothing to convert\n"


def converted(text: str) -> str:
    return autograph.convert_source(text)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Two packages deep, with a file to convert, one without, and one that is not Python."""
    (tmp_path / "src/pkg/deep").mkdir(parents=True)
    (tmp_path / "src/pkg/__init__.py").write_text("")
    (tmp_path / "src/pkg/clip.py").write_text(CLIP)
    (tmp_path / "src/pkg/plain.py").write_text(PLAIN)
    (tmp_path / "src/pkg/deep/clip.py").write_text(CLIP)
    (tmp_path / "src/pkg/table.csv").write_text("1,2\n")
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


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

    def test_a_person_who_watches_sees_a_progress_bar(self, tree: Path) -> None:
        shown = in_terminal([sys.executable, "-m", "autograph", "convert", "src", "-i"], tree)
        assert b"Converting" in shown
        assert b"2 converted, 2 unchanged" in shown


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


class TestExactBytes:
    """What is not rewritten comes out as it went in."""

    def test_crlf(self, tmp_path: Path) -> None:
        done = run("convert", "-", cwd=tmp_path, stdin=CLIP.replace("\n", "\r\n").encode())
        assert done.stdout == converted(CLIP).replace("\n", "\r\n").encode()

    def test_mixed_line_ends(self, tmp_path: Path) -> None:
        head = b"A = 1\r\nB = 2\nC = '''x\r\ny\n'''\r\n"
        done = run("convert", "-", cwd=tmp_path, stdin=head + CLIP.encode())
        assert done.returncode == 0
        assert head in done.stdout
        assert b"    # keeps x below limit\n" in done.stdout

    def test_byte_order_mark(self, tmp_path: Path) -> None:
        done = run("convert", "-", cwd=tmp_path, stdin=b"\xef\xbb\xbf" + CLIP.encode())
        assert done.stdout == b"\xef\xbb\xbf" + converted(CLIP).encode()

    @pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "shift_jis", "koi8-r", "utf-8"])
    def test_declared_encodings(self, tmp_path: Path, encoding: str) -> None:
        letter = {"shift_jis": "漢", "koi8-r": "ж"}.get(encoding, "é")
        text = f"# -*- coding: {encoding} -*-\nNAME = '{letter}'\n\n\n{CLIP}"
        done = run("convert", "-", cwd=tmp_path, stdin=text.encode(encoding))
        assert done.returncode == 0
        assert done.stdout.decode(encoding) == converted(text)

    def test_no_newline_at_the_end(self, tmp_path: Path) -> None:
        done = run("convert", "-", cwd=tmp_path, stdin=CLIP.rstrip("\n").encode())
        assert done.stdout.decode() == converted(CLIP).rstrip("\n")

    def test_form_feeds_tabs_and_trailing_blanks(self, tmp_path: Path) -> None:
        line = b"X = [1,\t2]  \n\x0c\n"
        done = run("convert", "-", cwd=tmp_path, stdin=b"\x0c\n" + line + CLIP.encode())
        assert done.stdout.startswith(b"\x0c\n")
        assert line in done.stdout


class TestOnly:
    SOURCE = f"""{CLIP}

class Net:
    def call(self, x):
        if x:
            x = 1
        return x
"""

    def test_converts_what_is_named(self, tmp_path: Path) -> None:
        (tmp_path / "net.py").write_text(self.SOURCE)
        done = run("convert", "net.py", "--only", "Net.call", cwd=tmp_path)
        assert done.returncode == 0
        assert CLIP in done.stdout.decode()
        assert done.stdout.count(b"ag__.if_stmt(") == 1

    def test_a_name_that_is_not_there_is_an_error_that_names_near_ones(self, tree: Path) -> None:
        done = run("convert", "src", "--only", "clap", "--only", "clip", "--check", cwd=tree)
        assert done.returncode == 2
        assert b"src: there is no function clap\n    Did you mean clip?" in done.stderr
        assert b"no function clip" not in done.stderr

    def test_a_method_without_its_class_is_suggested_with_it(self, tmp_path: Path) -> None:
        (tmp_path / "net.py").write_text(self.SOURCE)
        done = run("convert", "net.py", "--only", "call", "--check", cwd=tmp_path)
        assert b"Did you mean Net.call?" in done.stderr


STAYS = """\
def totals(stream):
    result = 0
    for x in stream:
        result += x
        yield result
"""


class TestStrict:
    def test_a_statement_that_stays_python_is_named(self, tmp_path: Path) -> None:
        (tmp_path / "a.py").write_text(STAYS)
        done = run("convert", "a.py", cwd=tmp_path)
        assert done.returncode == 0
        assert b"a.py:3:5: note: `for` stays Python: it contains `yield`" in done.stderr
        assert run("convert", "-q", "a.py", cwd=tmp_path).stderr == b""

    def test_and_an_error_in_strict_mode(self, tmp_path: Path) -> None:
        (tmp_path / "a.py").write_text(STAYS)
        done = run("convert", "a.py", "--strict", cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, b"")
        assert b"a.py:3:5: " in done.stderr
        assert b"\n    3 |     for x in stream:\n      |     ^^^^^^^^^^^^^^^^\n" in done.stderr


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


class TestBadInput:
    @pytest.mark.parametrize(("data", "place", "rest"), BAD, ids=range(len(BAD)))
    def test_says_where_and_what(self, tmp_path: Path, data: bytes, place: str, rest: str) -> None:
        (tmp_path / "bad.py").write_bytes(data)
        (tmp_path / "good.py").write_text(CLIP)
        done = run("convert", ".", "-o", "out", cwd=tmp_path)
        message = done.stderr.decode()
        assert done.returncode == 2
        assert message.startswith("bad.py:")
        assert place in message and rest in message
        assert "Traceback" not in message
        assert list(contents(tmp_path / "out")) == ["good.py"]

    def test_missing_file(self, tmp_path: Path) -> None:
        done = run("convert", "nowhere.py", cwd=tmp_path)
        assert done.returncode == 2
        assert done.stderr.startswith(b"nowhere.py: No such file or directory\n")

    def test_a_path_through_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "clip.py").write_text(CLIP)
        done = run("convert", "clip.py/inner.py", cwd=tmp_path)
        assert (done.returncode, done.stderr.split(b"\n")[0]) == (
            2,
            b"clip.py/inner.py: Not a directory",
        )

    def test_a_link_to_itself(self, tmp_path: Path) -> None:
        (tmp_path / "me.py").symlink_to("me.py")
        done = run("convert", "me.py", cwd=tmp_path)
        assert done.returncode == 2
        assert b"me.py: Too many levels of symbolic links" in done.stderr

    def test_pipes_sockets_and_devices(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "fifo.py")
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(tmp_path / "socket.py"))
        for path, kind in [
            ("fifo.py", "a named pipe"),
            ("socket.py", "a socket"),
            ("/dev/zero", "a device"),
        ]:
            done = run("convert", path, cwd=tmp_path)
            assert done.returncode == 2
            assert done.stderr.decode() == (
                f"{path}: this is {kind}, not a file\n    Give `-` to read standard input.\n"
            )

    def test_no_permission_to_read(self, open_folder: Path) -> None:
        (open_folder / "secret.py").write_text(CLIP)
        (open_folder / "secret.py").chmod(0)
        (open_folder / "locked").mkdir(mode=0o700)
        done = run_without_privileges("convert", ".", "--check", cwd=open_folder)
        assert done.returncode == 2
        assert b"secret.py: Permission denied\n    Make it readable" in done.stderr
        assert b"locked: Permission denied" in done.stderr

    def test_no_permission_to_write(self, open_folder: Path) -> None:
        (open_folder / "clip.py").write_text(CLIP)
        (open_folder / "out").mkdir(mode=0o755)
        before = contents(open_folder)
        for out in ("out", "out/deeper", "new.py"):
            done = run_without_privileges("convert", "clip.py", "-o", out, cwd=open_folder)
            assert done.returncode == 2
            assert b"cannot be written: Permission denied" in done.stderr
        assert contents(open_folder) == before

    def test_an_output_folder_that_cannot_be_made(self, tree: Path) -> None:
        (tree / "file").write_text("")
        done = run("convert", "src", "-o", "file/out", cwd=tree)
        assert done.returncode == 2
        assert done.stderr.count(b"cannot be written") == 1

    def test_a_file_with_50_000_lines(self, tmp_path: Path) -> None:
        entry = "# An entry\n# of a table\n# that a program\n# has written.\nVALUE_{0} = {0}\n"
        table = "".join(entry.format(number) for number in range(9_999))
        (tmp_path / "long.py").write_text(table + CLIP)
        done, peak = run_measured("convert", "long.py", cwd=tmp_path)
        assert done.returncode == 0
        assert done.stdout.count(b"\n") > 50_000
        assert table.removeprefix(entry.format(0)) in done.stdout.decode()
        assert peak < 1_000_000  # In KiB; what grows faster than the text needs far more.


def test_nothing_of_the_user_is_run(tmp_path: Path) -> None:
    trap = "open('trap', 'w').close()\n"
    (tmp_path / "clip.py").write_text(trap + CLIP)
    for shadowed in ("rich", "libcst", "gast", "numpy"):
        (tmp_path / f"{shadowed}.py").write_text(trap)
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg/__init__.py").write_text(trap)
    (tmp_path / "pkg/clip.py").write_text(trap + CLIP)
    assert run_anew("convert", "clip.py", cwd=tmp_path).returncode == 0
    assert run_anew("show", "clip.py:clip", cwd=tmp_path).returncode == 0
    assert run_anew("show", "pkg.clip:clip", "--side-by-side", cwd=tmp_path).returncode == 0
    assert not (tmp_path / "trap").exists()


class TestInterruption:
    def test_ctrl_c_leaves_whole_files_only(self, tmp_path: Path) -> None:
        (tmp_path / "src").mkdir()
        for number in range(400):
            (tmp_path / f"src/m{number:03}.py").write_text(CLIP * 5)
        process = subprocess.Popen(
            [sys.executable, "-m", "autograph", "convert", "src", "-o", "out"],
            cwd=tmp_path,
            env=environment(),
            stderr=subprocess.PIPE,
            # A background job ignores SIGINT, and so would the process.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        wait_until(lambda: (tmp_path / "out/m003.py").exists())
        process.send_signal(signal.SIGINT)
        _, message = process.communicate(timeout=60)
        assert process.returncode == 130
        assert re.fullmatch(
            rb"autograph: interrupted; \d+ of 400 files written, each one whole\n", message
        )
        written = contents(tmp_path / "out")
        assert 0 < len(written) < 400
        assert set(written.values()) == {converted(CLIP * 5).encode()}

    def test_termination_leaves_no_temporary_file(self, tmp_path: Path) -> None:
        (tmp_path / "src").mkdir()
        for number in range(400):
            (tmp_path / f"src/m{number:03}.py").write_text(CLIP)
        process = subprocess.Popen(
            [sys.executable, "-m", "autograph", "convert", "src", "-i"],
            cwd=tmp_path,
            env=environment(),
            stderr=subprocess.DEVNULL,
        )
        wait_until(lambda: b"ag__" in (tmp_path / "src/m003.py").read_bytes())
        process.terminate()
        assert process.wait(60) == 128 + signal.SIGTERM
        assert set(contents(tmp_path / "src").values()) == {
            CLIP.encode(),
            converted(CLIP).encode(),
        }

    def test_a_reader_that_goes_away(self, tmp_path: Path) -> None:
        (tmp_path / "clip.py").write_text(CLIP)
        process = subprocess.Popen(
            [sys.executable, "-m", "autograph", "convert", "clip.py"],
            cwd=tmp_path,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == (
            b"autograph: standard output was closed before everything was written\n"
        )
        assert process.wait(60) == 141
        process.stderr.close()

    def test_a_full_disk(self, tmp_path: Path) -> None:
        (tmp_path / "clip.py").write_text(CLIP)
        with open("/dev/full", "wb") as full:
            done = subprocess.run(
                [sys.executable, "-m", "autograph", "convert", "clip.py"],
                cwd=tmp_path,
                env=environment(),
                stdout=full,
                stderr=subprocess.PIPE,
                check=False,
            )
        assert done.returncode == 2
        assert done.stderr == b"autograph: standard output: No space left on device\n"


class TestShow:
    @pytest.fixture
    def package(self, tmp_path: Path) -> Path:
        (tmp_path / "pkg").mkdir()
        (tmp_path / "pkg/__init__.py").write_text("")
        (tmp_path / "pkg/net.py").write_text(TestOnly.SOURCE)
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


class TestMain:
    def test_version(self, tmp_path: Path) -> None:
        done = run_anew("--version", cwd=tmp_path)
        assert done.returncode == 0
        assert re.fullmatch(rb"autograph \d+\.\d+\S* \(Python 3\.\d+\.\S+\)\n", done.stdout)

    def test_without_a_command_prints_help(self, tmp_path: Path) -> None:
        done = run(cwd=tmp_path)
        assert done.returncode == 2
        for command in (b"convert", b"show", b"doctor"):
            assert command in done.stderr

    @pytest.mark.parametrize("command", ["convert", "show", "doctor"])
    def test_every_command_has_help(self, tmp_path: Path, command: str) -> None:
        done = run(command, "--help", cwd=tmp_path)
        assert done.returncode == 0
        assert done.stdout.startswith(f"usage: autograph {command}".encode())


@pytest.fixture
def open_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that a user without privileges can reach and read, but not write to."""
    folder = tmp_path_factory.mktemp("open")
    for part in (folder, *folder.parents):
        if part.stat().st_uid == os.geteuid() and part != Path("/"):
            part.chmod(part.stat().st_mode | 0o755)
        if part.name.startswith("pytest-of-"):
            break
    folder.chmod(0o755 if os.geteuid() == 0 else 0o555)
    return folder


def run_without_privileges(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    """As `run`; root, who may do everything, becomes nobody once the program is loaded."""
    program = textwrap.dedent(
        """
        import os, sys
        import autograph.__main__, autograph.cli
        # What is imported late could not be read any more afterwards.
        autograph.cli.main(["convert", "--check", "--quiet", autograph.__main__.__file__])
        if os.geteuid() == 0:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
        sys.exit(autograph.cli.main(sys.argv[1:]))
        """
    )
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, env=environment(), check=False)


def run_measured(*arguments: str, cwd: Path) -> tuple[subprocess.CompletedProcess[bytes], int]:
    """As `run`, and its peak of memory in KiB.

    Until a process loads its program it counts the memory of the process that started it, which is
    therefore a small one, not the one that runs the tests.
    """
    program = textwrap.dedent(
        """
        import resource, subprocess, sys
        done = subprocess.run([sys.executable, "-m", "autograph", *sys.argv[2:]])
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        with open(sys.argv[1], "w") as file:
            file.write(str(peak))
        sys.exit(done.returncode)
        """
    )
    notes = cwd / "peak.txt"
    command = [sys.executable, "-c", program, str(notes), *arguments]
    done = subprocess.run(command, cwd=cwd, capture_output=True, env=environment(), check=False)
    return done, int(notes.read_text())


def in_terminal(command: list[str], cwd: Path) -> bytes:
    """What a command shows to a person: standard output and error are a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command, cwd=cwd, env=environment(TERM="xterm-256color"), stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    shown = b""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if not select.select([ours], [], [], 0.1)[0]:
            continue
        try:
            shown += os.read(ours, 65536)
        except OSError:  # The other end is closed: the process has ended.
            break
    os.close(ours)
    assert process.wait(10) == 0
    return shown


def wait_until(condition: object) -> None:
    assert callable(condition)
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        threading.Event().wait(0.005)
