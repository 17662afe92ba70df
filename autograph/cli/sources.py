"""Reading Python files so that they can be written back exactly as they are."""

from __future__ import annotations

import codecs
import functools
import io
import os
import re
import stat
import sys
import tokenize
from collections.abc import Callable
from dataclasses import dataclass

from autograph.cli.problems import Problem

STANDARD_INPUT = "-"


class SourceError(Exception):
    """Raised where a file cannot be read as Python; `problem` says why."""

    def __init__(self, problem: Problem) -> None:
        """Store what is to be shown."""
        super().__init__(str(problem))
        self.problem = problem


@dataclass(frozen=True)
class Source:
    """The text of a file and how it is stored.

    Args:
      path: the file, as the user named it.
      data: its bytes.
      text: the same as text, with the line ends as they are and without byte order mark.
      encoding: the declared encoding, or UTF-8.
      mark: the byte order mark, or nothing.
      mode: the permission bits of the file.
    """

    path: str
    data: bytes
    text: str
    encoding: str
    mark: bytes
    mode: int

    @functools.cached_property
    def lines(self) -> list[str]:
        """Return the lines of the text, without their ends."""
        return lines_of(self.text)

    def encode(self, text: str) -> bytes:
        """Return the bytes of another text, stored as this one is."""
        return self.data if text == self.text else self.mark + text.encode(self.encoding)


def read(path: str) -> Source:
    """Read a file, or standard input for `-`.

    Args:
      path: the file.
    Raises: SourceError if there is no such file, if it is not a regular file, cannot be read,
      or is not text in its declared encoding.
    """
    if path == STANDARD_INPUT:
        return decode("<stdin>", _standard_input(), 0o644)
    try:
        status = os.stat(path)
        kind = _kind(status.st_mode)
        if kind is not None:
            raise SourceError(
                Problem(path, f"this is {kind}, not a file", "Give `-` to read standard input.")
            )
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise SourceError(unreadable(path, error)) from error
    return decode(path, data, stat.S_IMODE(status.st_mode))


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise SourceError(Problem("<stdin>", "standard input is closed", "Give a file instead."))
    return sys.stdin.buffer.read()


def unreadable(path: str, error: OSError) -> Problem:
    """What to say about a file or folder that cannot be opened."""
    remedies: dict[type[OSError], str] = {
        FileNotFoundError: "Check the spelling and the current folder.",
        PermissionError: "Make it readable for this user, for instance with `chmod u+r`.",
    }
    remedy = remedies.get(type(error), "Check what lies at this path.")
    return Problem(path, error.strerror or str(error), remedy)


def decode(path: str, data: bytes, mode: int) -> Source:
    """Bytes as Python source, by the byte order mark, the declaration, or as UTF-8.

    Args:
      path: the name to use in errors.
      data: the bytes.
      mode: the permission bits of the file.
    Raises: SourceError if that fails.

    >>> decode("a.py", b"# coding: latin-1\\nx = '\\xe9'\\n", 0o644).text
    "# coding: latin-1\\nx = 'é'\\n"
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        problem = Problem(path, "the file is UTF-16, which Python does not read", _SAVE_AS_UTF8)
        raise SourceError(problem)
    encoding = _encoding(path, data)
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    try:
        text = data[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        raise SourceError(_undecodable(path, data, len(mark) + error.start, encoding)) from error
    except (LookupError, ValueError) as error:
        raise SourceError(_bad_declaration(path, data, str(error))) from error
    if "\0" in text:
        raise SourceError(_null(path, text))
    return Source(path, data, text, encoding, mark, mode)


_SAVE_AS_UTF8 = "Save the file as UTF-8."
_DECLARE = "Save the file as UTF-8, or declare its encoding: `# -*- coding: latin-1 -*-`."


def _encoding(path: str, data: bytes) -> str:
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError as error:
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as undecodable:
            if not _DECLARATION.search(data):
                problem = _undecodable(path, data, undecodable.start, "utf-8")
                raise SourceError(problem) from error
        raise SourceError(_bad_declaration(path, data, str(error))) from error
    return "utf-8" if encoding == "utf-8-sig" else encoding


_DECLARATION = re.compile(
    rb"\A(?:\xef\xbb\xbf)?"  # The byte order mark of UTF-8.
    rb"(?:[^\r\n]*(?:\r\n?|\n))?[ \t\f]*#[^\r\n]*?coding[:=][ \t]*([-\w.]+)"
)


def _undecodable(path: str, data: bytes, at: int, encoding: str) -> Problem:
    line, col = _place(data[:at].decode(encoding, "replace"))
    shown = lines_of(data.decode(encoding, "replace"))[line - 1]
    message = f"byte 0x{data[at]:02x} is not valid {encoding}"
    return Problem(path, message, _DECLARE, line, col, source_line=shown)


def _bad_declaration(path: str, data: bytes, message: str) -> Problem:
    remedy = "Name an encoding that Python knows, or save the file as UTF-8 and drop the line."
    found = _DECLARATION.search(data)
    if found is None:
        return Problem(path, message, remedy)
    declared = found[1].decode("ascii")
    if data.startswith(codecs.BOM_UTF8):
        message = f"the file has the byte order mark of UTF-8, but declares {declared}"
    before = data[: found.start(1)].removeprefix(codecs.BOM_UTF8).decode("latin-1")
    line, col = _place(before)
    shown = lines_of(data.removeprefix(codecs.BOM_UTF8).decode("latin-1"))[line - 1]
    return Problem(path, message, remedy, line, col, col + len(declared), shown)


def _null(path: str, text: str) -> Problem:
    line, col = _place(text[: text.index("\0")])
    return Problem(
        path,
        "a null byte, which Python source cannot contain",
        "If this is source, save it as UTF-8 text; if not, leave it out.",
        line,
        col,
    )


_LINE_END = re.compile(r"\r\n?|\n")


def lines_of(text: str) -> list[str]:
    """Return the lines of a text as Python counts them, without their ends.

    >>> lines_of("a\\r\\nb\\rc\\x0cd\\n")
    ['a', 'b', 'c\\x0cd', '']
    """
    return _LINE_END.split(text)


def _place(before: str) -> tuple[int, int]:
    lines = lines_of(before)
    return len(lines), len(lines[-1]) + 1


def _kind(mode: int) -> str | None:
    kinds: tuple[tuple[Callable[[int], bool], str], ...] = (
        (stat.S_ISFIFO, "a named pipe"),
        (stat.S_ISCHR, "a device"),
        (stat.S_ISBLK, "a device"),
        (stat.S_ISSOCK, "a socket"),
    )
    return next((name for is_kind, name in kinds if is_kind(mode)), None)
