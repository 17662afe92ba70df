"""Temporary files and directories of a test."""

from __future__ import annotations

import os
import shutil
import tempfile
import unittest
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class FileCase(unittest.TestCase):
    """A test that creates files, which are removed at its end."""

    _directory: str | None = None

    def get_temp_dir(self) -> str:
        """Return the temporary directory of the test."""
        if self._directory is None:
            self._directory = tempfile.mkdtemp(prefix=f"{type(self).__name__}.")
            self.addCleanup(shutil.rmtree, self._directory, ignore_errors=True)
        return self._directory

    @contextmanager
    def captureWritesToStream(self, stream: Any) -> Iterator[CapturedWrites]:
        """Capture the writes of the whole process to an open file such as `sys.stderr`.

        Args:
          stream: the file; it has a `fileno`.

        Returns: A context manager; its value has the method `contents`, which returns the text.
        Raises: OSError if the stream has no file descriptor.
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
        self._path = path

    def contents(self) -> str:
        """Return the text."""
        return Path(self._path).read_text(errors="replace")
