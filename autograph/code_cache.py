"""Converted code on disk, in `__pycache__` beside the plain bytecode.

A cache file holds a magic word, the key, a digest of what follows, and the code. The key covers
everything the code depends on: text, file name, options, converter and Python. A file with
another key or a wrong digest counts as absent and is written anew.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.util
import marshal
import os
import sys
import types
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from autograph import grammar
from autograph.atomic import write_atomically
from autograph.qualnames import functions_in
from autograph.version import __version__

if TYPE_CHECKING:
    from autograph.rewrite.staged import Refusal

MAGIC = b"autograph code 2\n"
DIGEST_SIZE = hashlib.sha256().digest_size


class Left(NamedTuple):
    """A statement that stayed Python: the function it is in, its place, and why."""

    function: str
    line: int
    col: int
    construct: str
    reason: str
    remedy: str
    end_line: int


@dataclass(frozen=True)
class CachedCode:
    """The code of a module, whether it differs from the plain one, and what stayed Python."""

    code: types.CodeType
    changed: bool
    left: tuple[Left, ...]


def path_for(filename: str) -> str | None:
    """Where the code of a source file is cached; None if it is no file of its own.

    >>> from unittest import mock
    >>> with mock.patch.object(sys, "pycache_prefix", None):
    ...     path_for("/nowhere/a.py") is None
    True
    """
    if not os.path.isfile(filename) or sys.implementation.cache_tag is None:
        return None
    # Python's own naming, with the optimisation level as it would stand in a .pyc, so that
    # PYTHONPYCACHEPREFIX and everything that clears bytecode knows these files too.
    return importlib.util.cache_from_source(
        filename, optimization=f"autograph{sys.flags.optimize or ''}"
    )


def key(source: str, filename: str, *, strict: bool, only: frozenset[str] | None) -> bytes:
    """A digest of everything the converted code depends on.

    >>> a = key("x = 1", "a.py", strict=False, only=None)
    >>> a == key("x = 1", "a.py", strict=False, only=None)
    True
    >>> a == key("x = 2", "a.py", strict=False, only=None)
    False
    """
    names = None if only is None else sorted(only)
    parts = (source, filename, strict, names, converter_version(), sys.version)
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).digest()


@functools.cache
def converter_version() -> str:
    """Identifies the converter, down to edits of its own files in a checkout."""
    folder = Path(__file__).parent
    files = [(path, path.stat()) for path in sorted(folder.rglob("*.py"))]
    stamps = [(path.name, stat.st_size, stat.st_mtime_ns) for path, stat in files]
    parsers = [_installed_version(name) for name in ("libcst", "gast", "astor")]
    return repr((__version__, parsers, stamps))


def _installed_version(distribution: str) -> str | None:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:  # In a frozen program there is no metadata.
        return None


def read(path: str | None, expected: bytes) -> CachedCode | None:
    """The cached code, or None where there is none with this key.

    Args:
      path: the cache file; None: there is none.
      expected: the key that the file must have been written with.
    """
    if path is None:
        return None
    try:
        data = Path(path).read_bytes()
    except OSError:
        return None
    header = MAGIC + expected
    payload = data[len(header) + DIGEST_SIZE :]
    # marshal trusts its input, so nothing reaches it that this module has not written.
    if data[: len(header) + DIGEST_SIZE] != header + hashlib.sha256(payload).digest():
        return None
    code, changed, left = marshal.loads(payload)
    return CachedCode(code, changed, tuple(Left(*entry) for entry in left))


def write(path: str | None, with_key: bytes, result: CachedCode, *, beside: Path) -> None:
    """Writes the cache file, if Python would write bytecode here too.

    Args:
      path: the cache file; None: nothing is written.
      with_key: the key of the code.
      result: the code.
      beside: the source file, whose permissions the cache file gets.
    """
    if path is None or sys.dont_write_bytecode:
        return
    payload = marshal.dumps((result.code, result.changed, [tuple(each) for each in result.left]))
    data = MAGIC + with_key + hashlib.sha256(payload).digest() + payload
    # Without a cache the next import converts again; that is no reason to fail this one.
    with contextlib.suppress(OSError):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        write_atomically(Path(path), data, beside.stat().st_mode & 0o666 | 0o200, durable=False)


def name_functions(source: str, refusals: Iterable[Refusal]) -> tuple[Left, ...]:
    """Adds to each refusal the qualified name of the function that it is in."""
    found = tuple(refusals)
    if not found:
        return ()
    names: dict[int, str] = {}
    for place in functions_in(grammar.parse(source)):
        # Inner functions come later, so the innermost has the last word on a line.
        names.update(dict.fromkeys(range(place.first, place.last + 1), place.name))
    return tuple(
        Left(
            names.get(each.line, "<module>"),
            each.line,
            each.col,
            each.construct,
            each.reason,
            each.remedy,
            each.end_line,
        )
        for each in found
    )
