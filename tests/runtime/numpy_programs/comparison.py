"""Compare a NumPy program with its graph: results, arguments afterwards, or an error in both."""

from __future__ import annotations

import copy
import traceback
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import runtime as tf

Program = Callable[..., Any]

VECTOR = np.random.default_rng(0).random(30)
MATRIX = np.random.default_rng(0).random((6, 7))

_PRECISION = {"f2": 1e-2, "f4": 1e-5, "c8": 1e-5}
"""Relative error of results: sums may be added in another order."""


def is_same(want: Any, got: Any) -> bool:
    """Return whether two results have the same types, dtypes, shapes and values."""
    if type(want) is not type(got):
        return False
    if isinstance(want, (tuple, list)):
        return len(want) == len(got) and all(map(is_same, want, got))
    if isinstance(want, dict):
        return list(want) == list(got) and all(map(is_same, want.values(), got.values()))
    if isinstance(want, (np.ndarray, np.generic)):
        return want.dtype == got.dtype and want.shape == got.shape and _is_near(want, got)
    if isinstance(want, (float, complex)):
        return _is_near(np.asarray(want), np.asarray(got))
    return bool(want == got)


def _is_near(want: Any, got: Any) -> bool:
    if want.dtype.kind not in "fc":
        return bool(np.array_equal(want, got))
    close = _PRECISION.get(want.dtype.str[1:], 1e-12)
    return bool(np.allclose(want, got, rtol=close, atol=close, equal_nan=True))


def objects(arguments: Any, result: Any) -> list[tuple[int, int]]:
    """Return which arrays of a result are one, or an argument, or share memory with an argument.

    For each the position of its first mention, and of the first argument with memory of it.
    """
    given = [*_arrays(arguments)]
    every = [*given, *_arrays(result)]
    return [
        (
            next(i for i, other in enumerate(every) if other is each),
            next((i for i, other in enumerate(given) if np.may_share_memory(other, each)), -1),
        )
        for each in every
    ]


def _arrays(value: Any) -> Iterator[Any]:
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _arrays(each)
    elif isinstance(value, dict):
        yield from _arrays([*value.values()])


def difference(
    program: Callable[..., Any], *arguments: Any, jit_compile: bool | None = None
) -> str:
    """Return "" if the graph of a program does what the program does, twice, else the difference.

    An error of the graph alone begins with "refused: ".
    """
    own, first, second = (copy.deepcopy(arguments) for _ in range(3))
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        failed = False
        try:
            want = program(*own)
        except Exception as error:
            want, failed = error, True
        try:
            function = tf.function(program, numpy=True, jit_compile=jit_compile)
            results = function(*first), function(*second)
        except Exception as error:
            return "" if failed else f"refused: {type(error).__name__}: {error}"
    if failed:
        return f"no error: {results[0]!r} instead of {want!r}"
    for got, traced in zip(results, (first, second), strict=True):
        if not is_same(want, got):
            return f"{got!r} instead of {want!r}"
        if not is_same(list(own), list(traced)):
            return f"arguments {traced!r} instead of {own!r}"
        found, wanted = objects(traced, got), objects(own, want)
        if found != wanted:
            return f"other objects: {found} instead of {wanted}"
    return ""


def each(*cases: tuple[Any, ...]) -> pytest.MarkDecorator:
    """Parametrize a test by programs and arguments; refusals also have a message and a line."""
    names = ("program", "arguments", "message", "line")[: len(cases[0])]
    return pytest.mark.parametrize(names, cases, ids=[program.__name__ for program, *_ in cases])


def check_refused(program: Program, arguments: tuple[Any, ...], message: str, line: int) -> None:
    """Check that tracing fails at a line, counted from that of `def`."""
    with pytest.raises(Exception, match=message) as caught:
        tf.function(program, numpy=True)(*arguments)
    shown = "".join(traceback.format_exception(caught.value))
    assert f"line {program.__code__.co_firstlineno + line}" in shown
