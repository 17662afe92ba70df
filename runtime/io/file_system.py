"""The file system of this computer; its errors are those of operations."""

from __future__ import annotations

import errno
import glob as globbing
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO

from runtime.core.errors import (
    AlreadyExistsError,
    FailedPreconditionError,
    NotFoundError,
    OpError,
    PermissionDeniedError,
    StatusError,
    UnknownError,
)

Named = str | bytes | os.PathLike[Any]

_KINDS: dict[int, type[StatusError]] = {
    errno.ENOENT: NotFoundError,
    errno.ENOTDIR: FailedPreconditionError,
    errno.EISDIR: FailedPreconditionError,
    errno.ENOTEMPTY: FailedPreconditionError,
    errno.EEXIST: AlreadyExistsError,
    errno.EACCES: PermissionDeniedError,
    errno.EPERM: PermissionDeniedError,
}


def text_of(path: Named) -> str:
    """A path as text."""
    return os.fsdecode(path)


@contextmanager
def reported(path: Named) -> Iterator[None]:
    """Turns errors of the system into those of operations, which name the path."""
    try:
        yield
    except OSError as error:
        kind = _KINDS.get(error.errno or 0, UnknownError)
        words = error.strerror or str(error)
        raise kind(None, None, f"{text_of(path)}; {words}") from error


@contextmanager
def opened(path: Named, mode: str) -> Iterator[BinaryIO]:
    """An open file of bytes."""
    with reported(path), open(path, mode) as file:
        yield file  # type: ignore[misc]  # the modes are those of bytes


def exists(path: Named) -> bool:
    """Whether there is a file or directory of that name.

    >>> exists("/no/such/file")
    False
    """
    return os.path.exists(path)


def isdir(path: Named) -> bool:
    """Whether there is a directory of that name.

    >>> isdir("/no/such/directory")
    False
    """
    return os.path.isdir(path)


def glob(pattern: Named | Sequence[Named]) -> list[str]:
    """The paths that match a pattern, or one of several.

    >>> glob("/no/such/*")
    []
    """
    patterns = [pattern] if isinstance(pattern, (str, bytes, os.PathLike)) else pattern
    return [path for one in patterns for path in sorted(globbing.glob(text_of(one)))]


def listdir(path: Named) -> list[str]:
    """The names in a directory.

    Raises: NotFoundError if there is no such directory.

    >>> listdir("/no/such/directory")
    Traceback (most recent call last):
    ...
    runtime.errors.NotFoundError: Could not find directory /no/such/directory
    """
    if not os.path.isdir(path):
        raise NotFoundError(None, None, f"Could not find directory {text_of(path)}")
    with reported(path):
        return sorted(os.listdir(text_of(path)))


def mkdir(path: Named) -> None:
    """Makes a directory in one that there is; nothing happens if there is one of that name.

    Raises: NotFoundError if there is no directory to make it in.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     mkdir(f"{home}/a")
    ...     listdir(home)
    ['a']
    """
    if not os.path.isdir(path):
        with reported(path):
            os.mkdir(path)


def makedirs(path: Named) -> None:
    """Makes a directory, and those above it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     makedirs(f"{home}/a/b")
    ...     isdir(f"{home}/a/b")
    True
    """
    with reported(path):
        os.makedirs(path, exist_ok=True)


def remove(path: Named) -> None:
    """Removes a file.

    Raises: NotFoundError if there is none; FailedPreconditionError for a directory.

    >>> remove("/no/such/file")
    Traceback (most recent call last):
    ...
    runtime.errors.NotFoundError: /no/such/file; No such file or directory
    """
    if os.path.isdir(path) and not os.path.islink(path):
        raise FailedPreconditionError(None, None, f"{text_of(path)}; Is a directory")
    with reported(path):
        os.remove(path)


def rmtree(path: Named) -> None:
    """Removes a directory and all that is in it.

    Raises: NotFoundError if there is none.

    >>> rmtree("/no/such/directory")
    Traceback (most recent call last):
    ...
    runtime.errors.NotFoundError: /no/such/directory not found
    """
    if not os.path.exists(path):
        raise NotFoundError(None, None, f"{text_of(path)} not found")
    with reported(path):
        shutil.rmtree(path)


def copy(src: Named, dst: Named, overwrite: bool = False) -> None:
    """Copies a file.

    Args:
      src, dst: the file, and the path of the copy.
      overwrite: whether a file at `dst` is replaced.

    Raises: NotFoundError if there is no `src`; AlreadyExistsError if there is a `dst`.

    >>> copy("/no/such/file", "/no/such/copy")
    Traceback (most recent call last):
    ...
    runtime.errors.NotFoundError: /no/such/file; No such file or directory
    """
    _require_free(dst, overwrite)
    with reported(src):
        shutil.copyfile(src, dst)


def rename(src: Named, dst: Named, overwrite: bool = False) -> None:
    """Gives a file or directory another path.

    Args:
      src, dst: the path that it has, and that it gets.
      overwrite: whether a file at `dst` is replaced.

    Raises: NotFoundError if there is no `src`; AlreadyExistsError if there is a `dst`.

    >>> rename("/no/such/file", "/no/such/other")
    Traceback (most recent call last):
    ...
    runtime.errors.NotFoundError: /no/such/file; No such file or directory
    """
    _require_free(dst, overwrite)
    with reported(src):
        os.replace(src, dst)


def _require_free(path: Named, overwrite: bool) -> None:
    if not overwrite and os.path.exists(path):
        raise AlreadyExistsError(None, None, f"file already exists: {text_of(path)}")


@dataclass(frozen=True)
class FileStatistics:
    """What is known of a file.

    Attributes:
      length: its size in bytes.
      mtime_nsec: when it was changed last, in nanoseconds since 1970.
      is_directory: whether it is a directory.

    >>> FileStatistics(4, 0, False).length
    4
    """

    length: int
    mtime_nsec: int
    is_directory: bool


def stat(path: Named) -> FileStatistics:
    """What is known of a file or directory.

    Raises: NotFoundError if there is none.

    >>> import os
    >>> stat(os.devnull).is_directory
    False
    """
    with reported(path):
        found = os.stat(path)
    return FileStatistics(found.st_size, found.st_mtime_ns, os.path.isdir(path))


def walk(
    top: Named, topdown: bool = True, onerror: Callable[[OpError], Any] | None = None
) -> Iterator[tuple[str, list[str], list[str]]]:
    """The directories below a directory, each with the names of directories and files in it.

    Args:
      top: where it begins.
      topdown: whether a directory comes before those in it.
      onerror: is told of directories that cannot be read.

    >>> list(walk("/no/such/directory"))
    []
    """

    def tell(error: OSError) -> None:
        if onerror is not None:
            text = f"{error.filename}; {error.strerror}"
            onerror(NotFoundError(None, None, text))

    return os.walk(text_of(top), topdown, tell)


def join(path: Named, *paths: Named) -> str:
    """Parts of a path, with separators between them.

    >>> join("a", "b")
    'a/b'
    """
    return os.path.join(text_of(path), *map(text_of, paths))


def get_registered_schemes() -> list[str]:
    """The kinds of file systems that paths can name: this computer's.

    >>> get_registered_schemes()
    ['']
    """
    return [""]
