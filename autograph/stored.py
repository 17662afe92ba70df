"""Results on disk, so that another process need not compute them again.

A file is named by a digest of everything on which its content depends. Files are read only from a
folder that belongs to the user and that nobody else can write to; without such a folder (as on
systems without users of files) nothing is stored. A file appears whole, by renaming, so processes
may write the same one at a time. A file whose digest is wrong counts as missing.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

_DIGEST = hashlib.sha256
_SIZE = _DIGEST().digest_size


def key_of(*parts: str) -> str:
    """Return the name of a file for a result that depends on some texts.

    >>> key_of("one", "two") == key_of("onetwo")
    False
    """
    return _DIGEST("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


class Store:
    """The results of one kind: in XDG_CACHE_HOME, or in `.cache` of the user's home.

    Args:
      kind: the last word of the name of the folder.
      most: files in the folder. Where a process finds more at its first write, the older half is
        removed.
    """

    def __init__(self, kind: str, most: int) -> None:
        self._name = f"autograph-numpy-{kind}"
        self._most = most
        self._has_written = False

    def folder(self) -> Path:
        """Return the folder."""
        base = os.environ.get("XDG_CACHE_HOME")
        return (Path(base) if base else Path.home() / ".cache") / self._name

    def load(self, key: str) -> bytes | None:
        """Return a result; None if there is none that can be trusted."""
        with self._opened() as place:
            if place is None:
                return None
            try:
                file = os.open(key, os.O_RDONLY | os.O_NOFOLLOW, dir_fd=place)
            except OSError:  # there is none, or it is a link
                return None
            with open(file, "rb") as stream:
                if not _is_private(os.fstat(file)):
                    return None
                data = stream.read()
        result = data[_SIZE:]
        return result if _DIGEST(result).digest() == data[:_SIZE] else None

    def store(self, key: str, result: bytes) -> None:
        """Store a result; do nothing where the disk is full or read-only, or there is no home."""
        with contextlib.suppress(OSError, RuntimeError):
            self.folder().mkdir(0o700, parents=True, exist_ok=True)
            with self._opened() as place:
                if place is None:
                    return
                if not self._has_written:
                    self._has_written = True
                    _remove_old(place, self._most)
                _write(place, key, result)

    @contextlib.contextmanager
    def _opened(self) -> Iterator[int | None]:
        """Yield a descriptor of the folder; None if it is missing, or others can write to it."""
        if not hasattr(os, "getuid") or os.open not in os.supports_dir_fd:
            yield None
            return
        try:
            place = os.open(self.folder(), os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except (OSError, RuntimeError):  # `Path.home` finds no home
            yield None
            return
        try:
            yield place if _is_private(os.fstat(place)) else None
        finally:
            os.close(place)


def _write(place: int, key: str, result: bytes) -> None:
    temporary = f"{key}.{os.getpid()}.{os.urandom(4).hex()}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    file = os.open(temporary, flags, 0o600, dir_fd=place)
    try:
        with open(file, "wb") as stream:
            stream.write(_DIGEST(result).digest() + result)
        os.replace(temporary, key, src_dir_fd=place, dst_dir_fd=place)
    except OSError:
        os.unlink(temporary, dir_fd=place)
        raise


def _remove_old(place: int, most: int) -> None:
    names = os.listdir(place)
    if len(names) > most:
        ages = sorted((os.stat(name, dir_fd=place).st_mtime, name) for name in names)
        for _, name in ages[: len(ages) // 2]:
            os.unlink(name, dir_fd=place)


def _is_private(status: os.stat_result) -> bool:
    """Return whether a file belongs to the user, and nobody else can write to it."""
    others = stat.S_IWGRP | stat.S_IWOTH
    return status.st_uid == os.getuid() and not status.st_mode & others
