"""Files and directories that a test makes for itself."""

from __future__ import annotations

import os
import shutil
import tempfile
import unittest
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any


class TemporaryFile:
    """A file of a test; it can be used wherever a path can."""

    def __init__(self, path: str) -> None:
        """Names the file."""
        self._path = path

    @property
    def full_path(self) -> str:
        """The path."""
        return self._path

    def read_text(self, encoding: str = "utf8", errors: str = "strict") -> str:
        """The contents as text."""
        return Path(self._path).read_text(encoding, errors)

    def read_bytes(self) -> bytes:
        """The contents."""
        return Path(self._path).read_bytes()

    def write_text(
        self, text: str, mode: str = "w", encoding: str = "utf8", errors: str = "strict"
    ) -> None:
        """Writes text."""
        with open(self._path, mode, encoding=encoding, errors=errors) as file:
            file.write(text)

    def write_bytes(self, data: bytes, mode: str = "wb") -> None:
        """Writes bytes."""
        with open(self._path, mode) as file:
            file.write(data)

    def open_text(
        self, mode: str = "rt", encoding: str = "utf8", errors: str = "strict"
    ) -> IO[Any]:
        """The open file, for text."""
        return open(self._path, mode, encoding=encoding, errors=errors)

    def open_bytes(self, mode: str = "rb") -> IO[Any]:
        """The open file, for bytes."""
        return open(self._path, mode)

    def __fspath__(self) -> str:
        """Gives the path."""
        return self._path


class TemporaryDirectory:
    """A directory of a test; it can be used wherever a path can."""

    def __init__(self, path: str) -> None:
        """Names the directory."""
        self._path = path

    @property
    def full_path(self) -> str:
        """The path."""
        return self._path

    def create_file(
        self,
        file_path: str | None = None,
        content: str | bytes | None = None,
        mode: str = "w",
        encoding: str = "utf8",
        errors: str = "strict",
    ) -> TemporaryFile:
        """Makes a file in it; None: with a name of its own."""
        return made_file(self._path, file_path, content, mode, encoding, errors)

    def mkdir(self, dir_path: str | None = None) -> TemporaryDirectory:
        """Makes a directory in it; None: with a name of its own."""
        if dir_path is None:
            return TemporaryDirectory(tempfile.mkdtemp(dir=self._path))
        path = os.path.join(self._path, dir_path)
        os.makedirs(path, exist_ok=True)
        return TemporaryDirectory(path)

    def __fspath__(self) -> str:
        """Gives the path."""
        return self._path


def made_file(
    directory: str,
    file_path: str | None,
    content: str | bytes | None,
    mode: str,
    encoding: str,
    errors: str,
) -> TemporaryFile:
    """A file in a directory, with contents."""
    if file_path is None:
        number, path = tempfile.mkstemp(dir=directory)
        os.close(number)
    else:
        path = os.path.join(directory, file_path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
    file = TemporaryFile(path)
    if isinstance(content, bytes):
        file.write_bytes(content, mode if "b" in mode else f"{mode}b")
    else:
        file.write_text(content or "", mode, encoding, errors)
    return file


class FileCase(unittest.TestCase):
    """A test that makes files, which are gone after it."""

    _directory: str | None = None

    def get_temp_dir(self) -> str:
        """A directory for this test alone, the same one at each call."""
        if self._directory is None:
            self._directory = tempfile.mkdtemp(prefix=f"{type(self).__name__}.")
            self.addCleanup(shutil.rmtree, self._directory, ignore_errors=True)
        return self._directory

    def create_tempdir(self, name: str | None = None, cleanup: Any = None) -> TemporaryDirectory:
        """Makes a directory.

        Args:
          name: its name; None: one of its own.
          cleanup: has no effect: it is always removed after the test.
        """
        return TemporaryDirectory(self.get_temp_dir()).mkdir(name)

    def create_tempfile(
        self,
        file_path: str | None = None,
        content: str | bytes | None = None,
        mode: str = "w",
        encoding: str = "utf8",
        errors: str = "strict",
        cleanup: Any = None,
    ) -> TemporaryFile:
        """Makes a file.

        Args:
          file_path: its name; None: one of its own.
          content: what is in it.
          mode, encoding, errors: as for `open`.
          cleanup: has no effect: it is always removed after the test.
        """
        return made_file(self.get_temp_dir(), file_path, content, mode, encoding, errors)

    @contextmanager
    def captureWritesToStream(self, stream: Any) -> Iterator[CapturedWrites]:
        """Catches what is written to an open file such as `sys.stderr`, by whatever in the process.

        Args:
          stream: the file; it has a `fileno`.

        Raises: OSError if the file is none of the system.
        """
        number = stream.fileno()
        stream.flush()
        kept = os.dup(number)
        number_of_file, path = tempfile.mkstemp(dir=self.get_temp_dir())
        os.dup2(number_of_file, number)
        os.close(number_of_file)
        captured = CapturedWrites(path)
        try:
            yield captured
        finally:
            stream.flush()
            os.dup2(kept, number)
            os.close(kept)


class CapturedWrites:
    """What was written while `captureWritesToStream` caught it."""

    def __init__(self, path: str) -> None:
        """Names the file that has it."""
        self._path = path

    def contents(self) -> str:
        """The text."""
        return Path(self._path).read_text(errors="replace")
