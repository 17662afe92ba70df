"""Temporary files and directories of a test."""

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
    """A file of a test, usable as a path."""

    def __init__(self, path: str) -> None:
        """Store the path."""
        self._path = path

    @property
    def full_path(self) -> str:
        """The path."""
        return self._path

    def read_text(self, encoding: str = "utf8", errors: str = "strict") -> str:
        """Return the contents as a string."""
        return Path(self._path).read_text(encoding, errors)

    def read_bytes(self) -> bytes:
        """Return the contents."""
        return Path(self._path).read_bytes()

    def write_text(
        self, text: str, mode: str = "w", encoding: str = "utf8", errors: str = "strict"
    ) -> None:
        """Write a string."""
        with open(self._path, mode, encoding=encoding, errors=errors) as file:
            file.write(text)

    def write_bytes(self, data: bytes, mode: str = "wb") -> None:
        """Write bytes."""
        with open(self._path, mode) as file:
            file.write(data)

    def open_text(
        self, mode: str = "rt", encoding: str = "utf8", errors: str = "strict"
    ) -> IO[Any]:
        """Open the file as text."""
        return open(self._path, mode, encoding=encoding, errors=errors)

    def open_bytes(self, mode: str = "rb") -> IO[Any]:
        """Open the file as binary."""
        return open(self._path, mode)

    def __fspath__(self) -> str:
        """Return the path."""
        return self._path


class TemporaryDirectory:
    """A directory of a test, usable as a path."""

    def __init__(self, path: str) -> None:
        """Store the path."""
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
        """Create a file in it; None: with a unique name."""
        return made_file(self._path, file_path, content, mode, encoding, errors)

    def mkdir(self, dir_path: str | None = None) -> TemporaryDirectory:
        """Create a directory in it; None: with a unique name."""
        if dir_path is None:
            return TemporaryDirectory(tempfile.mkdtemp(dir=self._path))
        path = os.path.join(self._path, dir_path)
        os.makedirs(path, exist_ok=True)
        return TemporaryDirectory(path)

    def __fspath__(self) -> str:
        """Return the path."""
        return self._path


def made_file(
    directory: str,
    file_path: str | None,
    content: str | bytes | None,
    mode: str,
    encoding: str,
    errors: str,
) -> TemporaryFile:
    """Create a file with contents in a directory."""
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
    """A test that creates files, which are removed at its end."""

    _directory: str | None = None

    def get_temp_dir(self) -> str:
        """Return the temporary directory of the test."""
        if self._directory is None:
            self._directory = tempfile.mkdtemp(prefix=f"{type(self).__name__}.")
            self.addCleanup(shutil.rmtree, self._directory, ignore_errors=True)
        return self._directory

    def create_tempdir(self, name: str | None = None, cleanup: object = None) -> TemporaryDirectory:
        """Create a directory.

        Args:
          name: its name; None: a unique one.
          cleanup: ignored: it is always removed after the test.
        """
        return TemporaryDirectory(self.get_temp_dir()).mkdir(name)

    def create_tempfile(
        self,
        file_path: str | None = None,
        content: str | bytes | None = None,
        mode: str = "w",
        encoding: str = "utf8",
        errors: str = "strict",
        cleanup: object = None,
    ) -> TemporaryFile:
        """Create a file.

        Args:
          file_path: its name; None: a unique one.
          content: its contents.
          mode, encoding, errors: as in `open`.
          cleanup: ignored: it is always removed after the test.
        """
        return made_file(self.get_temp_dir(), file_path, content, mode, encoding, errors)

    @contextmanager
    def captureWritesToStream(self, stream: Any) -> Iterator[CapturedWrites]:
        """Capture the writes of the whole process to an open file such as `sys.stderr`.

        Args:
          stream: the file; it has a `fileno`.

        Raises:
          OSError: if the stream has no file descriptor.
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
    """The writes captured by `captureWritesToStream`."""

    def __init__(self, path: str) -> None:
        """Store the path of the capture file."""
        self._path = path

    def contents(self) -> str:
        """Return the text."""
        return Path(self._path).read_text(errors="replace")
