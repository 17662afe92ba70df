"""Checks of a staging library: thirty programs, each compared with plain Python.

>>> from fixtures.staging.lazy_arrays import LIBRARY, run
>>> report = check_library(LIBRARY, run)
>>> report.wrong, report.failed
([], [])
"""

from __future__ import annotations

import builtins
import functools
import importlib.util
import inspect
import math
import re
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import autograph
from autograph.conversion.libraries import is_known_library

_CLOSE = 1e-4
"""Relative difference of results that are equal: float32 after tens of operations."""


class _Named(Protocol):
    name: str


@dataclass
class Report:
    """What became of each program; `str(report)` is a table.

    Attributes:
      library: the name of the library.
      equal: names of programs that gave what plain Python gives, or raised what it raises.
      refused: names and errors of programs that were refused at a line of theirs.
      wrong: names of programs that gave something else, with both.
      failed: names and errors of programs that raised something else.
    """

    library: str
    equal: list[str] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    wrong: list[tuple[str, str]] = field(default_factory=list)
    failed: list[tuple[str, str]] = field(default_factory=list)

    def __str__(self) -> str:
        """Return counts, then a line for each program that is not equal."""
        groups = {"refused": self.refused, "wrong": self.wrong, "failed": self.failed}
        counts = ", ".join(f"{len(group)} {kind}" for kind, group in groups.items())
        lines = [f"{self.library}: {len(self.equal)} equal, {counts}"]
        for kind, group in groups.items():
            lines += [f"  {kind} {name}: {text}" for name, text in group]
        if len(lines) > 1:
            lines.append(f"The programs are in {_PROGRAMS}.")
        return "\n".join(lines)


def check_library(library: _Named, run: Callable[..., Any]) -> Report:
    """Run thirty programs on a staging library, and compare them with plain Python.

    Args:
      library: the staging library; see `autograph.staging.StagingLibrary`.
      run: `run(function, *args)` makes staged values of the arguments, which are numbers and lists
        of numbers, calls the function, runs what was recorded, and returns the results as numbers
        and arrays, in the structure that the function returned.

    Returns:
      A report. A library keeps the promise of AutoGraph if nothing is wrong and nothing failed. If
      `==` does not compare values, the programs that use it are left out.

    >>> class Eager:
    ...     name = "eager"
    >>> print(check_library(Eager(), lambda function, *args: function(*args)))
    eager: 30 equal, 0 refused, 0 wrong, 0 failed
    """
    report = Report(library.name)
    for kind in _unmarked(run):
        text = (
            f"the module {kind.__module__} of {kind.__name__} has no such global, so its functions "
            "are converted. Set it, or call autograph.staging.register with the module's name."
        )
        report.failed.append(("__autograph_staging__", text))
        return report
    equal = _outcome(run, _is_equal, 2, 2)
    if isinstance(equal, Exception):
        report.failed.append(("==", _with_place(equal, library, run)))
    elif not equal:
        report.wrong.append(("==", f"{equal!r}, not True, for two arrays of the same value"))
    compares = not (report.failed or report.wrong)
    for function, cases in _programs().items():
        # Without `==`, a loop while a variable differs from a number would never end.
        if compares or not re.search("[=!]= ", inspect.getsource(function)):
            _check(function, cases, library, run, report)
    return report


def _unmarked(run: Callable[..., Any]) -> list[type]:
    """Return the class of the arrays if the functions of its module would be converted."""
    kinds: list[type] = []

    def seen(value: object) -> object:
        kinds.append(type(value))
        return value

    _outcome(run, seen, 2.0)
    return [
        kind
        for kind in kinds
        if not is_known_library(vars(sys.modules.get(kind.__module__, builtins)))
    ]


def _is_equal(a: object, b: object) -> Any:
    return a == b


@functools.cache
def _programs() -> dict[Callable[..., Any], Sequence[tuple[Any, ...]]]:
    """Return the programs with their arguments, from a module that is not of this package."""
    spec = importlib.util.spec_from_file_location("staging_programs", _PROGRAMS)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: dict[Callable[..., Any], Sequence[tuple[Any, ...]]] = module.CASES
    return found


_PROGRAMS = str(Path(__file__).with_name("programs.py"))


def _check(
    function: Callable[..., Any],
    cases: Sequence[tuple[Any, ...]],
    library: _Named,
    run: Callable[..., Any],
    report: Report,
) -> None:
    name = function.__name__
    converted = autograph.convert()(function)
    for args in cases:
        expected = _outcome(function, *args)
        actual = _outcome(run, converted, *args)
        if isinstance(actual, Exception) and not _is_same_error(actual, expected):
            if _PROGRAMS in str(actual):
                report.refused.append((name, _line_of(actual)))
            else:
                report.failed.append((name, _with_place(actual, library, run)))
            return
        if not isinstance(actual, Exception) and not _is_same(actual, expected):
            report.wrong.append((name, f"{actual!r}, not {expected!r}, for {args}"))
            return
    report.equal.append(name)


def _outcome(function: Callable[..., Any], *args: object) -> Any:
    try:
        return function(*args)
    except Exception as error:
        return error


def _line_of(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error).strip()}".partition("\n")[0]


def _with_place(error: Exception, library: _Named, run: Callable[..., Any]) -> str:
    """Return the line of an error, and the innermost place in the module of the library."""
    file = getattr(sys.modules[type(library).__module__], "__file__", None)
    places = [
        f" ({Path(frame.filename).name}, line {frame.lineno}, in {frame.name})"
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == file and frame.name != run.__name__
    ]
    return _line_of(error) + (places or [""])[-1]


def _is_same_error(actual: Exception, expected: object) -> bool:
    """Return whether it is the error of plain Python, or one that tells of it in its text."""
    kind = type(expected).__name__
    return isinstance(expected, Exception) and (
        isinstance(actual, type(expected)) or f"{kind}: {expected}" in str(actual)
    )


def _is_same(actual: Any, expected: Any) -> bool:
    if isinstance(expected, dict):
        return actual.keys() == expected.keys() and all(
            _is_same(actual[key], expected[key]) for key in expected
        )
    if isinstance(expected, (list, tuple)):
        return len(actual) == len(expected) and all(map(_is_same, actual, expected))
    if isinstance(expected, (bool, int, float)):
        return math.isclose(float(actual), expected, rel_tol=_CLOSE, abs_tol=_CLOSE)
    return False
