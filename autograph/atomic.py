"""Atomic replacement of files."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from pathlib import Path


def write_atomically(
    path: Path, data: bytes, mode: int, *, durable: bool = True
) -> tuple[str, ...]:
    """Write a file by renaming a complete temporary file over it.

    The temporary file is in the same folder, because a rename is atomic only within one file
    system. It is removed on any error, `KeyboardInterrupt` included. Owner and extended attributes
    of a replaced file are kept. A hard link keeps the old content.

    Args:
      path: the file to write. It may exist; its folder must exist.
      data: the whole content.
      mode: permission bits of the file.
      durable: whether to flush the content to disk before the rename. If so, a power loss leaves
        the old or the new file; if not, it may lose both.

    Returns:
      The names of extended attributes that could not be kept.

    Raises:
      OSError: if the folder is not writable or the disk is full. `path` is then unchanged.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     target = Path(folder) / "a.txt"
    ...     lost = write_atomically(target, b"text", 0o644)
    ...     (target.read_bytes(), os.listdir(folder))
    (b'text', ['a.txt'])
    """
    temporary = path.with_name(f".{path.name[:100]}.{secrets.token_hex(6)}.tmp")
    try:
        # The mode is set again below: the umask clears bits of this one.
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(data)
            _keep_owner(path, temporary)
            temporary.chmod(mode)
            lost = _keep_attributes(path, temporary)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            temporary.unlink()
        raise
    return lost


def _keep_attributes(path: Path, temporary: Path) -> tuple[str, ...]:
    if not hasattr(os, "listxattr"):
        return ()
    lost = []
    try:
        names = os.listxattr(path)
    except OSError as error:
        if error.errno not in (errno.ENOENT, errno.ENOTSUP):
            raise
        return ()  # no file to replace, or a file system without attributes
    for name in names:
        try:
            os.setxattr(temporary, name, os.getxattr(path, name))
        except OSError:
            lost.append(name)
    return tuple(lost)


def _keep_owner(path: Path, temporary: Path) -> None:
    """Give the new file the owner of the file that it replaces, if the process is root."""
    if hasattr(os, "chown") and os.geteuid() == 0 and path.exists():
        status = path.stat()
        os.chown(temporary, status.st_uid, status.st_gid)
