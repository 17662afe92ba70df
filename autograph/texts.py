"""The texts in which a function may be defined: files, what loaders give, what was registered."""

from __future__ import annotations

import importlib.machinery
import inspect
import itertools
import linecache
import os
import sys
import tokenize
import zipimport
from collections.abc import Iterator
from contextlib import suppress
from types import FunctionType
from typing import Any


def is_pseudo(filename: str) -> bool:
    """Whether a code object names no file, as in `<stdin>`."""
    return filename.startswith("<") and filename.endswith(">")


_registered: dict[str, str] = {}
_numbers = itertools.count(1)


def register_text(text: str, filename: str | None = None) -> str:
    """Makes a text known as the source of the code that is compiled under a file name.

    Args:
      text: Python source.
      filename: the name; None: a new one, under which tracebacks show the text too.
    Returns: the name.
    """
    if filename is None:
        filename = f"<autograph {next(_numbers)}>"
        lines = text.splitlines(keepends=True)
        linecache.cache[filename] = (len(text), None, lines, filename)
    _registered[filename] = text
    return filename


def texts_of(function: FunctionType) -> Iterator[str]:
    """Every text that may define the function, the likeliest first."""
    filename = function.__code__.co_filename
    if filename in _registered:
        yield _registered[filename]
    for path in _paths(function):
        text = _read(path)
        if text is not None:
            yield text
    if filename in linecache.cache or is_pseudo(filename):
        lines = linecache.getlines(filename, function.__globals__)
        if lines:
            yield "".join(lines)
    if is_pseudo(filename):
        yield from _from_prompt(function)
    text = _from_loader(function)
    if text is not None:
        yield text


COMMAND = "<string>"
"""The file name of code that was given as `python -c`."""


def _from_prompt(function: FunctionType) -> Iterator[str]:
    """What was typed at the prompt, or given as `python -c`."""
    # Python files what was typed under the code objects, where `linecache` does not look.
    with suppress(OSError):
        yield "".join(inspect.findsource(function)[0])
    if function.__code__.co_filename == COMMAND:
        yield from sys.orig_argv


def _paths(function: FunctionType) -> Iterator[str]:
    filename = function.__code__.co_filename
    if is_pseudo(filename):
        return
    yield filename
    # A relative name is of no use after os.chdir, but the module knows its file.
    module_file = function.__globals__.get("__file__")
    if (
        type(module_file) is str
        and module_file != filename
        and os.path.basename(module_file) == os.path.basename(filename)
    ):
        yield module_file


def _read(path: str) -> str | None:
    try:
        with tokenize.open(path) as file:
            return file.read()
    except (OSError, SyntaxError, UnicodeDecodeError, ValueError):
        return None


def _loader(function: FunctionType) -> Any:
    spec = function.__globals__.get("__spec__")
    return function.__globals__.get("__loader__") or getattr(spec, "loader", None)


def _from_loader(function: FunctionType) -> str | None:
    get_source = getattr(_loader(function), "get_source", None)
    if get_source is None:
        return None
    try:
        text = get_source(function.__globals__.get("__name__"))
    except (ImportError, OSError, SyntaxError):
        return None
    return text if type(text) is str else None


_PLAIN_LOADERS = (
    importlib.machinery.SourceFileLoader,
    importlib.machinery.SourcelessFileLoader,
    zipimport.zipimporter,
    importlib.machinery.BuiltinImporter,
    type(None),
)


def rewriter_of(function: FunctionType) -> str | None:
    """The module of a loader that may have changed the code on its way from the text.

    pytest does so with assertions, typeguard with annotations. None: the code is the text's.
    """
    loader = _loader(function)
    if type(loader) in _PLAIN_LOADERS or loader is importlib.machinery.BuiltinImporter:
        return None
    return type(loader).__module__
