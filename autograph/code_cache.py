"""Converted code on disk, in `__pycache__` beside the plain bytecode.

A cache file holds a magic number, the key, a digest of the payload, and the payload. The key
covers all inputs of the conversion: text, file name, options, converter version and Python version.
A file with another key or a wrong digest is treated as absent and rewritten.
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
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from autograph.atomic import write_atomically
from autograph.conversion_result import Refusal
from autograph.syntax import grammar
from autograph.syntax.qualnames import functions_in
from autograph.version import __version__

MAGIC = b"autograph code 2\n"
DIGEST_SIZE = hashlib.sha256().digest_size

Stamp = tuple[int, int]
"""The size of a file, and when it changed."""


class Left(NamedTuple):
    """A statement that stayed Python: its function, line and reason."""

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
    """Return the cache path of a source file; None if the file does not exist on its own.

    >>> from unittest import mock
    >>> with mock.patch.object(sys, "pycache_prefix", None):
    ...     path_for("/nowhere/a.py") is None
    True
    """
    if not os.path.isfile(filename) or sys.implementation.cache_tag is None:
        return None
    # Python's own naming, with the optimization level of a .pyc, so that PYTHONPYCACHEPREFIX and
    # tools that clear bytecode apply to these files too.
    return importlib.util.cache_from_source(
        filename, optimization=f"autograph{sys.flags.optimize or ''}"
    )


def key(source: str, filename: str, *, strict: bool, only: frozenset[str] | None) -> bytes:
    """Return a digest of all inputs of the conversion.

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
    """Return the version of the converter; in a checkout it changes with each edit of its files."""
    parsers = [importlib.util.find_spec(name) for name in ("libcst", "gast", "astor")]
    origins = [None if spec is None else spec.origin for spec in parsers]
    files = [each for each in origins if each is not None and os.path.isfile(each)]
    stamps = [(each, _stamp(os.stat(each))) for each in files]
    return repr((__version__, stamps, sorted(_stamps_in(os.path.dirname(__file__)))))


def _stamps_in(folder: str) -> Iterator[tuple[str, Stamp]]:
    """Yield the name and stamp of each source file; `Path.rglob` would take six times as long."""
    for entry in os.scandir(folder):
        if entry.is_dir():
            yield from _stamps_in(entry.path)
        elif entry.name.endswith(".py"):
            yield entry.name, _stamp(entry.stat())


def _stamp(status: os.stat_result) -> Stamp:
    return status.st_size, status.st_mtime_ns


def read(path: str | None, expected: bytes) -> CachedCode | None:
    """Return the cached code, or None if no file has this key.

    Args:
      path: the cache file. None: no file.
      expected: the required key.
    """
    if path is None:
        return None
    try:
        data = Path(path).read_bytes()
    except OSError:
        return None
    header = MAGIC + expected
    payload = data[len(header) + DIGEST_SIZE :]
    # marshal trusts its input: the digest proves that this module wrote it.
    if data[: len(header) + DIGEST_SIZE] != header + hashlib.sha256(payload).digest():
        return None
    code, changed, left = marshal.loads(payload)
    return CachedCode(code, changed, tuple(Left(*entry) for entry in left))


def write(path: str | None, with_key: bytes, result: CachedCode, *, beside: Path) -> None:
    """Write the cache file, if Python would write bytecode too.

    Args:
      path: the cache file. None: write nothing.
      with_key: the key of the code.
      result: the code.
      beside: the source file. The cache file gets its permissions.
    """
    if path is None or sys.dont_write_bytecode:
        return
    payload = marshal.dumps((result.code, result.changed, [tuple(each) for each in result.left]))
    data = MAGIC + with_key + hashlib.sha256(payload).digest() + payload
    # A failed write costs the next import a conversion; it must not fail this import.
    with contextlib.suppress(OSError):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        write_atomically(Path(path), data, beside.stat().st_mode & 0o666 | 0o200, durable=False)


def name_functions(source: str, refusals: Iterable[Refusal]) -> tuple[Left, ...]:
    """Add to each refusal the qualified name of the enclosing function."""
    found = tuple(refusals)
    if not found:
        return ()
    names: dict[int, str] = {}
    for place in functions_in(grammar.parse(source)):
        # Inner functions come later, so the innermost one sets the name of a line.
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
