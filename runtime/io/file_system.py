"""The file system of this computer; its errors are those of operations."""

from __future__ import annotations

import errno
import glob as globbing
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

from runtime.core.errors import (
    AlreadyExistsError,
    FailedPreconditionError,
    NotFoundError,
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
    """Return a path as a string."""
    return os.fsdecode(path)


@contextmanager
def reported(path: Named) -> Iterator[None]:
    """Turns errors of the system into those of operations, which name the path."""
    try:
        yield
    except OSError as error:
        kind = _KINDS.get(error.errno or 0, UnknownError)
        words = error.strerror or str(error)
        raise kind.of(f"{text_of(path)}; {words}") from error


@contextmanager
def opened(path: Named, mode: str) -> Iterator[BinaryIO]:
    """Open a file of bytes."""
    with reported(path), open(path, mode) as file:
        yield file  # type: ignore[misc]  # the modes are those of bytes


def matching(pattern: Named) -> list[str]:
    """Return the paths that match a glob pattern, sorted.

    >>> matching("/no/such/*")
    []
    """
    return sorted(globbing.glob(text_of(pattern)))


def makedirs(path: Named) -> None:
    """Create a directory, and those above it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     makedirs(f"{home}/a/b")
    ...     os.listdir(f"{home}/a")
    ['b']
    """
    with reported(path):
        os.makedirs(path, exist_ok=True)
