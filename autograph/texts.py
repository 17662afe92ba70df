"""The texts that may define a function: files, loaders' sources, registered texts."""

from __future__ import annotations

import ast
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
    """Return whether a file name is no file, such as `<stdin>`."""
    return filename.startswith("<") and filename.endswith(">")


GENERATED = "<comparison "
"""Begins the file names of comparisons that the converter writes; no line of a program is there."""

_registered: dict[str, str] = {}
_numbers = itertools.count(1)


def register_text(text: str, filename: str | None = None) -> str:
    """Register a text as the source of code compiled with a file name.

    Args:
      text: Python source.
      filename: the name. None: a generated one; tracebacks show its text.

    Returns:
      The name.
    """
    if filename is None:
        filename = f"<autograph {next(_numbers)}>"
        lines = text.splitlines(keepends=True)
        linecache.cache[filename] = (len(text), None, lines, filename)
    _registered[filename] = text
    return filename


def texts_of(function: FunctionType) -> Iterator[str]:
    """Yield each text that may define the function, the most likely first."""
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
"""The file name of `python -c` code."""


TIMED = "<timed exec>"
"""The file name of a cell after IPython's `%%time`, whose text IPython leaves nowhere else."""


def _from_timed_cells(function: FunctionType) -> Iterator[str]:
    """Yield the cells after `%%time` among IPython's inputs `In`, the last one first."""
    for entered in reversed(function.__globals__.get("In", ())):
        if not str(entered).startswith(_TIMING):
            continue
        call: Any = ast.parse(entered, mode="eval").body
        yield ast.literal_eval(call.args[2])


_TIMING = "get_ipython().run_cell_magic('time', "
"""The start of such a cell, as IPython rewrites it."""


def _from_prompt(function: FunctionType) -> Iterator[str]:
    """Yield the text typed at the prompt or passed to `python -c`."""
    # Python stores prompt input by code object, where `linecache` does not look.
    with suppress(OSError):
        yield "".join(inspect.findsource(function)[0])
    if function.__code__.co_filename == COMMAND:
        yield from sys.orig_argv
    if function.__code__.co_filename == TIMED:
        yield from _from_timed_cells(function)


def _paths(function: FunctionType) -> Iterator[str]:
    filename = function.__code__.co_filename
    if is_pseudo(filename):
        return
    yield filename
    # A relative name is wrong after os.chdir, but the module knows its file.
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
    """Return the module of a loader that rewrites the code of files; None if there is none.

    pytest rewrites assertions, typeguard annotations.
    """
    if not any(map(os.path.isfile, _paths(function))):
        return None
    loader = _loader(function)
    if type(loader) in _PLAIN_LOADERS or loader is importlib.machinery.BuiltinImporter:
        return None
    return type(loader).__module__
