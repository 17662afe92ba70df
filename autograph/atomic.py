"""Files that are either the old one or the new one, never half of either."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from pathlib import Path


def write_atomically(
    path: Path, data: bytes, mode: int, *, durable: bool = True
) -> tuple[str, ...]:
    """Writes a file by renaming a finished temporary one over it.

    The temporary file lies in the same folder, because only there is a rename atomic; it is
    removed when anything goes wrong, `KeyboardInterrupt` included. Owner and extended attributes
    of the file that it replaces stay. A hard link keeps the old content.

    Args:
      path: the file to write; it may exist, its folder must.
      data: the whole content.
      mode: permission bits of the file.
      durable: whether the content reaches the disk before the rename, so that a loss of power
        leaves the old file or the new one. False: the file may be lost then.
    Returns: the names of extended attributes that could not be kept.
    Raises: OSError if the folder cannot be written to or the disk is full; `path` is then as
      it was.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     target = Path(folder) / "a.txt"
    ...     lost = write_atomically(target, b"text", 0o644)
    ...     (target.read_bytes(), os.listdir(folder))
    (b'text', ['a.txt'])
    """
    temporary = path.with_name(f".{path.name[:100]}.{secrets.token_hex(6)}.tmp")
    try:
        # The mode is set again below: the umask takes bits away from this one.
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
    """Leaves a file that root writes over to whom it belongs."""
    if hasattr(os, "chown") and os.geteuid() == 0 and path.exists():
        status = path.stat()
        os.chown(temporary, status.st_uid, status.st_gid)
