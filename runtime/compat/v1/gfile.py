"""`compat.v1.gfile`: files and directories under the names of version 1."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runtime.io import file_system, text_files
from runtime.io.file_system import FileStatistics, Named

GFile = text_files.GFile
Open = text_files.GFile
FastGFile = text_files.GFile


def Copy(oldpath: Named, newpath: Named, overwrite: bool = False) -> None:
    """The same as `runtime.io.gfile.copy`.

    >>> Copy("/no/such/file", "/no/such/copy")
    Traceback (most recent call last):
    ...
    runtime.errors.NotFoundError: /no/such/file; No such file or directory
    """
    file_system.copy(oldpath, newpath, overwrite)


def DeleteRecursively(dirname: Named) -> None:
    """The same as `runtime.io.gfile.rmtree`.

    >>> DeleteRecursively("/no/such/directory")
    Traceback (most recent call last):
    ...
    runtime.errors.NotFoundError: /no/such/directory not found
    """
    file_system.rmtree(dirname)


def Exists(filename: Named) -> bool:
    """The same as `runtime.io.gfile.exists`.

    >>> Exists("/no/such/file")
    False
    """
    return file_system.exists(filename)


def Glob(filename: Named | Sequence[Named]) -> list[str]:
    """The same as `runtime.io.gfile.glob`.

    >>> Glob("/no/such/*")
    []
    """
    return file_system.glob(filename)


def IsDirectory(dirname: Named) -> bool:
    """The same as `runtime.io.gfile.isdir`.

    >>> IsDirectory("/no/such/directory")
    False
    """
    return file_system.isdir(dirname)


def ListDirectory(dirname: Named) -> list[str]:
    """The same as `runtime.io.gfile.listdir`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     ListDirectory(home)
    []
    """
    return file_system.listdir(dirname)


def MakeDirs(dirname: Named) -> None:
    """The same as `runtime.io.gfile.makedirs`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     MakeDirs(f"{home}/a/b")
    """
    file_system.makedirs(dirname)


def MkDir(dirname: Named) -> None:
    """The same as `runtime.io.gfile.mkdir`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     MkDir(f"{home}/a")
    """
    file_system.mkdir(dirname)


def Remove(filename: Named) -> None:
    """The same as `runtime.io.gfile.remove`.

    >>> Remove("/no/such/file")
    Traceback (most recent call last):
    ...
    runtime.errors.NotFoundError: /no/such/file; No such file or directory
    """
    file_system.remove(filename)


def Rename(oldname: Named, newname: Named, overwrite: bool = False) -> None:
    """The same as `runtime.io.gfile.rename`.

    >>> Rename("/no/such/file", "/no/such/other")
    Traceback (most recent call last):
    ...
    runtime.errors.NotFoundError: /no/such/file; No such file or directory
    """
    file_system.rename(oldname, newname, overwrite)


def Stat(filename: Named) -> FileStatistics:
    """The same as `runtime.io.gfile.stat`.

    >>> import os
    >>> Stat(os.devnull).is_directory
    False
    """
    return file_system.stat(filename)


def Walk(top: Named, in_order: bool = True) -> Iterator[tuple[str, list[str], list[str]]]:
    """The same as `runtime.io.gfile.walk`.

    >>> list(Walk("/no/such/directory"))
    []
    """
    return file_system.walk(top, in_order)
