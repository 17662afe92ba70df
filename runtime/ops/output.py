"""Printing and checking while a program runs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.errors import InvalidArgumentError, Raised
from runtime.core.opdef import BOOL, MIXED, Effect, sample
from runtime.core.places import user_place
from runtime.core.structure import map_structure
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.convert import convert_to_tensor
from runtime.ops.define import define_op

_SLOT = "\0"


def format_value(array: Any, summarize: int = 3) -> str:
    """A value as `print` shows it: `[1 2 3]`, `0.5`, at most `summarize` elements at each end.

    >>> format_value(np.arange(10))
    '[0 1 2 ... 7 8 9]'
    """
    value = np.asarray(array)
    if value.ndim == 0:
        return _format_element(value[()], quoted=False)
    return _format_rows(value, summarize, 1)


def _format_rows(value: Any, summarize: int, depth: int) -> str:
    rows: list[Any] = list(value)
    if 0 <= 2 * summarize < len(rows):
        rows = [*rows[:summarize], None, *rows[-summarize:]]
    nested = value.ndim > 1
    parts = [
        "..."
        if row is None
        else _format_rows(row, summarize, depth + 1)
        if nested
        else _format_element(row, quoted=True)
        for row in rows
    ]
    separator = "\n" * (value.ndim - 1) + " " * depth if nested else " "
    return f"[{separator.join(parts)}]"


def _format_element(element: Any, quoted: bool) -> str:
    if isinstance(element, bytes):
        text = element.decode(errors="backslashreplace")
        return f'"{text}"' if quoted else text
    if isinstance(element, (bool, np.bool_)):
        return str(int(element))
    if isinstance(element, np.floating):
        return _format_float(element)
    return str(element)


def _format_float(element: Any) -> str:
    short, exact = {2: (4, 5), 4: (6, 9)}.get(element.itemsize, (15, 17))
    text = f"{float(element):.{short}g}"
    return text if type(element)(text) == element else f"{float(element):.{exact}g}"


class _Slot:
    def __repr__(self) -> str:
        return _SLOT


def _print(xp: Any, *values: Any, template: str, stream: str, summarize: int) -> tuple[()]:
    parts = template.split(_SLOT)
    shown = [format_value(value, summarize) for value in values]
    text = parts[0] + "".join(a + b for a, b in zip(shown, parts[1:], strict=True))
    getattr(sys, stream).write(text)
    return ()


_PRINT = define_op(
    "PrintV2",
    {"*inputs": MIXED},
    lambda *inputs, **attrs: (),
    _print,
    outputs=0,
    effect=Effect.WRITE,
    samples=(sample(1.5, [1, 2], template="\0 and \0\n", stream="stderr", summarize=3),),
)


def print(
    *inputs: Any,
    output_stream: Any = sys.stderr,
    summarize: int = 3,
    sep: str = " ",
    end: str = "\n",
    name: str | None = None,
) -> None:
    """Prints values when the program runs; in a graph at each run, in the order of the program.

    Args:
      inputs: tensors, Python values, and structures of them.
      output_stream: `sys.stderr` or `sys.stdout`.
      summarize: how many elements at each end of a dimension are shown; -1: all.
      sep: what stands between the values.
      end: what stands after the last.

    Raises: ValueError for another stream.

    >>> print("x:", [1.0, 2.0], output_stream=sys.stdout)
    x: [1.0, 2.0]
    """
    tensors: list[Tensor] = []

    def slot(leaf: Any) -> Any:
        if isinstance(leaf, Tensor) or hasattr(type(leaf), "__tf_tensor__"):
            tensors.append(convert_to_tensor(leaf))
            return _Slot()
        return leaf

    parts = [str(map_structure(slot, value)) for value in inputs]
    _PRINT.outputs(
        *tensors,
        template=sep.join(parts) + end,
        stream=_stream_name(output_stream),
        summarize=summarize,
        name=name,
    )


def _stream_name(stream: Any) -> str:
    for name in ("stdout", "stderr"):
        if stream in (getattr(sys, name), getattr(sys, f"__{name}__"), f"sys.{name}", name):
            return name
    if stream is _DEFAULT_STREAM:
        return "stderr"
    raise ValueError("print writes to sys.stdout or sys.stderr only")


_DEFAULT_STREAM = sys.stderr


def _assert(xp: Any, condition: Any, *data: Any, summarize: int, place: str) -> tuple[()]:
    if not np.all(condition):
        shown = " ".join(f"[{format_value(value, summarize)}]" for value in data)
        where = f"\n  {place}" if place else ""
        raise InvalidArgumentError(None, None, f"assertion failed: {shown}{where}")
    return ()


_ASSERT = define_op(
    "Assert",
    {"condition": BOOL, "*data": MIXED},
    lambda condition, *data, **attrs: (),
    _assert,
    outputs=0,
    effect=Effect.WRITE,
    samples=(sample(True, "message", [1, 2], summarize=3, place=""),),
)


def Assert(
    condition: TensorLike,
    data: Sequence[TensorLike],
    summarize: int = 3,
    name: str | None = None,
) -> None:
    """Checks, when the program runs, that every element of `condition` is true.

    Args:
      condition: bool.
      data: what the error shows.
      summarize: how many elements at each end of a dimension are shown; -1: all.

    Raises: InvalidArgumentError, with the line of the program, if it is not.

    >>> Assert(2 > 1, ["two is larger"])
    """
    place = user_place()
    values = [convert_to_tensor(value) for value in data]
    _ASSERT.outputs(
        condition, *values, summarize=summarize, place=str(place) if place else "", name=name
    )


def _raise_when(xp: Any, condition: Any, error: BaseException) -> tuple[()]:
    if condition:
        raise Raised(error)
    return ()


_RAISE = define_op(
    "RaiseWhen",
    {"condition": BOOL},
    lambda condition, error: (),
    _raise_when,
    outputs=0,
    effect=Effect.WRITE,
    samples=(sample(False, error=ValueError("no")),),
)


def raise_when(condition: TensorLike, error: BaseException) -> None:
    """Raises the program's own exception when a graph runs and `condition` holds."""
    _RAISE.outputs(condition, error=error)
