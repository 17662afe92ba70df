"""Bytes that `convert` leaves as they are, and files that it cannot read."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.autograph.cli.processes import environment, run
from tests.autograph.cli.trees import CLIP, contents, converted


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


class TestBadInput:
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
