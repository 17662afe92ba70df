"""`GFile`: a file of this computer, of text or bytes, that is opened when it is first used."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from runtime.core.errors import InvalidArgumentError, PermissionDeniedError
from runtime.io.file_system import Named, reported

_MODES = ("r", "w", "a", "r+", "w+", "a+")


class GFile:
    """A file.

    Args:
      name: its path.
      mode: as for `open`: "r", "w", "a", with "+" for both, with "b" for bytes.

    The file is opened when it is first read or written. Errors are those of operations:
    NotFoundError, PermissionDeniedError, InvalidArgumentError for another mode, ....

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     with GFile(f"{home}/a", "w") as file:
    ...         file.write("one\\ntwo")
    ...     GFile(f"{home}/a").readlines()
    ['one\\n', 'two']
    """

    def __init__(self, name: Named, mode: str = "r") -> None:
        """Takes path and mode."""
        if mode.replace("b", "") not in _MODES:
            raise InvalidArgumentError(
                None, None, f"mode is not {' or '.join(map(repr, _MODES))}: {mode!r}"
            )
        self._name = name
        self._mode = mode
        self._binary = "b" in mode
        self._file: Any = None

    @property
    def name(self) -> Named:
        """The path."""
        return self._name

    @property
    def mode(self) -> str:
        """The mode."""
        return self._mode

    def _open(self) -> Any:
        if self._file is None:
            plain = self._mode.replace("b", "")
            with reported(self._name):
                self._file = Path(os.fsdecode(self._name)).open(f"{plain}b")  # noqa: SIM115 - till `close`
        return self._file

    def _given(self, data: bytes) -> Any:
        return data if self._binary else data.decode()

    def _readable(self) -> Any:
        file = self._open()
        if not file.readable():
            raise PermissionDeniedError(None, None, "File isn't open for reading")
        return file

    def size(self) -> int:
        """How many bytes it has."""
        with reported(self._name):
            return os.stat(self._name).st_size

    def write(self, file_content: str | bytes) -> None:
        """Writes text or bytes."""
        file = self._open()
        if not file.writable():
            raise PermissionDeniedError(None, None, "File isn't open for writing")
        with reported(self._name):
            data = file_content.encode() if isinstance(file_content, str) else file_content
            file.write(data)

    def read(self, n: int = -1) -> Any:
        """The rest, or the next `n` bytes of it."""
        with reported(self._name):
            return self._given(self._readable().read(n))

    def readline(self) -> Any:
        """The rest of the line with its end; nothing at the end of the file."""
        with reported(self._name):
            return self._given(self._readable().readline())

    def readlines(self) -> list[Any]:
        """The lines that are left."""
        return list(self)

    def seek(self, offset: int | None = None, whence: int = 0, position: int | None = None) -> None:
        """Goes to a byte.

        Args:
          offset: how far.
          whence: from where: 0: the beginning, 1: here, 2: the end.
          position: the earlier name of `offset`.

        Raises: InvalidArgumentError for another `whence`, or a place before the beginning;
          TypeError without a place.
        """
        if offset is None and position is None:
            raise TypeError("seek(): offset argument required")
        place = offset if offset is not None else position
        if whence not in (0, 1, 2):
            raise InvalidArgumentError(
                None, None, f"Invalid whence argument: {whence}. Valid values are 0, 1, or 2."
            )
        if whence == 0 and (place or 0) < 0:
            raise InvalidArgumentError(None, None, f"Seeking to a negative position: {place}")
        with reported(self._name):
            self._open().seek(place, whence)

    def tell(self) -> int:
        """How many bytes are before the place."""
        return int(self._open().tell())

    def seekable(self) -> bool:
        """Whether one can go to any place: always."""
        return True

    def flush(self) -> None:
        """Hands what was written to the system."""
        if self._file is not None:
            self._file.flush()

    def close(self) -> None:
        """Closes the file; it is opened again when it is used again."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def next(self) -> Any:
        """The next line. Raises StopIteration at the end."""
        return self.__next__()

    def __enter__(self) -> GFile:
        """Gives the file."""
        return self

    def __exit__(self, *details: object) -> None:
        """Closes it."""
        self.close()

    def __iter__(self) -> GFile:
        """Goes over the lines."""
        return self

    def __next__(self) -> Any:
        """The next line."""
        line = self.readline()
        if not line:
            raise StopIteration
        return line
