"""Machine code on disk, so that another process need not compile it again.

A file is named by the text of the module and everything else on which its code depends. Code is
loaded only from a folder that belongs to the user and that nobody else can write to; without such a
folder (as on systems without users of files) nothing is stored. A file appears whole, by renaming,
so processes may write the same one at a time. A file whose digest is wrong is compiled again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

MOST = 1000
"""Files in the folder; beyond, the older half is removed."""

_DIGEST = hashlib.sha256
_SIZE = _DIGEST().digest_size


def key_of(*parts: str) -> str:
    """Return the name of a file for code that depends on some texts.

    >>> key_of("one", "two") == key_of("onetwo")
    False
    """
    return _DIGEST("\0".join(parts).encode()).hexdigest()


def folder() -> Path:
    """Return the folder: in XDG_CACHE_HOME, or in `.cache` of the user's home."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "autograph-numpy-native"


def load(key: str) -> bytes | None:
    """Return stored code; None if there is none that can be trusted."""
    with _opened() as place:
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
    code = data[_SIZE:]
    return code if _DIGEST(code).digest() == data[:_SIZE] else None


def store(key: str, code: bytes) -> None:
    """Store code; do nothing where the disk is full or read-only: the code runs anyway."""
    with contextlib.suppress(OSError):
        folder().mkdir(0o700, parents=True, exist_ok=True)
        with _opened() as place:
            if place is None:
                return
            temporary = f"{key}.{os.getpid()}.{os.urandom(4).hex()}"
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            file = os.open(temporary, flags, 0o600, dir_fd=place)
            try:
                with open(file, "wb") as stream:
                    stream.write(_DIGEST(code).digest() + code)
                os.replace(temporary, key, src_dir_fd=place, dst_dir_fd=place)
            except OSError:
                os.unlink(temporary, dir_fd=place)
                raise
            _remove_old(place)


def _remove_old(place: int) -> None:
    names = os.listdir(place)
    if len(names) > MOST:
        ages = sorted((os.stat(name, dir_fd=place).st_mtime, name) for name in names)
        for _, name in ages[: len(ages) // 2]:
            os.unlink(name, dir_fd=place)


@contextlib.contextmanager
def _opened() -> Iterator[int | None]:
    """Yield a descriptor of the folder; None if it is missing, or others can write to it."""
    if not hasattr(os, "getuid") or os.open not in os.supports_dir_fd:
        yield None
        return
    try:
        place = os.open(folder(), os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        yield None
        return
    try:
        yield place if _is_private(os.fstat(place)) else None
    finally:
        os.close(place)


def _is_private(status: os.stat_result) -> bool:
    """Return whether a file belongs to the user, and nobody else can write to it."""
    others = stat.S_IWGRP | stat.S_IWOTH
    return status.st_uid == os.getuid() and not status.st_mode & others
