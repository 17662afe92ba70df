"""Printing, assertions and staged exceptions."""

from __future__ import annotations

import pprint
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.core.aliases import Array, Namespace
from runtime.core.context import operation_to_ask_for
from runtime.core.errors import AssertionFailedError, Raised
from runtime.core.handlers import refuse_handled, refuse_handled_by_name
from runtime.core.node_form import NodeForm, Ref
from runtime.core.opdef import BOOL, EXACT, Effect, Emit, sample
from runtime.core.operation import Operation
from runtime.core.places import place_of, place_of_use, user_place
from runtime.core.structure import flatten, map_structure, unflatten
from runtime.core.tensor import EagerTensor, Tensor, TensorLike, python_scalar
from runtime.core.thread import STATE
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import op
from runtime.ops.base.node_forms import Place

_SLOT = "\0"
_NUMBERED = re.compile("\0([0-9]+)\0")


def format_value(array: Array, summarize: int = 3, quoted: bool = False) -> str:
    """Format a value as `print` does, with at most `summarize` elements at each end.

    >>> format_value(np.arange(10))
    '[0 1 2 ... 7 8 9]'
    """
    value = np.asarray(array)
    if value.ndim == 0:
        return _format_element(value[()], quoted)
    return _format_rows(value, summarize, 1)


def _format_rows(value: Array, summarize: int, depth: int) -> str:
    rows: list[Any] = list(value)
    if 0 <= 2 * summarize < len(rows):
        rows = [*rows[:summarize], None, *rows[len(rows) - summarize :]]
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


_ESCAPES = {code: f"\\{code:03o}" for code in (*range(32), 127)} | str.maketrans(
    {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "'": "\\'", "\\": "\\\\"}
)
"""Escapes of characters between quotes, as in TensorFlow: C's octal numbers."""


def _format_element(element: object, quoted: bool) -> str:
    if isinstance(element, bytes):
        text = element.decode(errors="surrogateescape")
        return f'"{text.translate(_ESCAPES)}"' if quoted else text
    if isinstance(element, (bool, np.bool_)):
        return str(int(element))
    if isinstance(element, np.floating):
        return _format_float(element)
    return str(element)


def _format_float(element: Array) -> str:
    # Digits that always survive decimal -> binary -> decimal, and binary -> decimal -> binary
    # (FLT_DIG, FLT_DECIMAL_DIG, DBL_DIG, DBL_DECIMAL_DIG of C).
    kind, short, exact = (np.float64, 15, 17) if element.itemsize > 4 else (np.float32, 6, 9)
    text = f"{float(element):.{short}g}"
    return text if kind(text) == element else f"{float(element):.{exact}g}"


def summary(array: Array, limit: int) -> str:
    """Format the first elements of a value as a failed `Assert` does.

    >>> summary(np.arange(10), 3)
    '0 1 2...'
    """
    value = np.asarray(array)
    count = value.size if limit < 0 else limit
    if value.ndim == 0:
        return _format_element(value[()], quoted=False)
    text, _ = _summed_up(value, count, outermost=True)
    return text + ("..." if value.size > count else "")


def _summed_up(value: Array, left: int, outermost: bool = False) -> tuple[str, int]:
    """Format at most `left` elements; return how many may follow."""
    if value.ndim == 1:
        shown = [_format_element(element, quoted=False) for element in value[:left]]
        cut = "..." if len(value) > left and not outermost else ""
        return " ".join(shown) + cut, left - len(shown)
    text = ""
    for row in value:
        if left <= 0:
            break
        inner, left = _summed_up(row, left)
        text += f"[{inner}]"
    return text, left


class _Slot:
    """Placeholder of a tensor in a structure to print."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __repr__(self) -> str:
        return f"{_SLOT}{self.number}{_SLOT}"


def _write(stream: str, text: str) -> None:
    target = getattr(sys, stream)
    encoding = getattr(target, "encoding", None) or "utf-8"
    target.write(text.encode(errors="surrogateescape").decode(encoding, "backslashreplace"))


def filled(template: str, mark: str, texts: Sequence[str]) -> str:
    """Replace each `mark` of a template by a text."""
    parts = template.split(mark)
    return parts[0] + "".join(a + b for a, b in zip(texts, parts[1:], strict=True))


def _format_list(rows: Array, summarize: int) -> str:
    """Format the elements of a list that grew in the graph, as those of a list of Python."""
    slots = pprint.pformat([_Slot(number) for number in range(len(rows))])
    texts = [format_value(row, summarize, quoted=True) for row in rows]
    return filled(_NUMBERED.sub(_SLOT, slots), _SLOT, texts)


def _print(
    xp: Namespace,
    *values: Array,
    template: str,
    stream: str,
    summarize: int,
    quoted: Sequence[bool] = (),
    listed: Sequence[bool] = (),
) -> tuple[()]:
    others = (False,) * len(values)
    texts = [
        _format_list(value, summarize) if is_list else format_value(value, summarize, in_quotes)
        for value, in_quotes, is_list in zip(
            values, quoted or others, listed or others, strict=True
        )
    ]
    _write(stream, filled(template, _SLOT, texts))
    return ()


def _write_print(place: Place) -> list[Ref]:
    attrs = place.op.attrs
    template = attrs["template"]
    mark = next(mark for mark in ("{}", "%s", "<?>", "\1") if mark not in template)
    (line,) = place.part(
        "StringFormat",
        place.inputs,
        "StringFormat",
        template=template.replace("\0", mark),
        placeholder=mark,
        summarize=attrs["summarize"],
    )
    return place.main("PrintV2", [line], output_stream=attrs["stream"], end="")


@op(
    "PrintV2",
    {"*inputs": EXACT},
    infer=lambda *inputs, **attrs: (),
    kernel=_print,
    outputs=0,
    effect=Effect.WRITE,
    debug=True,
    node=NodeForm(write=_write_print),
    samples=(sample(1.5, [1, 2], template="\0 and \0\n", stream="stderr", summarize=3),),
)
def print(
    *inputs: object,
    output_stream: object = sys.stderr,
    summarize: int = 3,
    sep: str = " ",
    end: str = "\n",
    name: str | None = None,
    **kwargs: object,
) -> Operation | None:
    """Print values whenever the program runs, in program order.

    Args:
      *inputs: Tensors, Python values, and structures of them.
      output_stream: `sys.stderr` or `sys.stdout`.
      summarize: number of elements shown at each end of a dimension; -1: all.
      sep: text between the values.
      end: text after the last value.
      **kwargs: none.

    Returns: The operation in a graph built by hand, None otherwise.
    Raises:
      ValueError: for another stream or unknown arguments.
      TypeError: if `sep` or `end` is not a string or `summarize` not an int.

    >>> print("x:", [1.0, 2.0], output_stream=sys.stdout)
    x: [1.0, 2.0]
    """
    if kwargs:
        raise ValueError(f"Unrecognized keyword arguments for tf.print: {kwargs}")
    for label, value, kind in (("end", end, str), ("summarize", summarize, int), ("sep", sep, str)):
        if not isinstance(value, kind):
            wanted = "string" if kind is str else kind.__name__
            raise TypeError(f"Expected {wanted} for argument '{label}' not {value!r}.")
    tensors: list[Tensor] = []
    quoted: list[bool] = []
    listed: list[bool] = []

    def slot(leaf: object, nested: bool) -> Any:
        if isinstance(leaf, Tensor) or hasattr(type(leaf), "__tf_tensor__"):
            tensors.append(convert_to_tensor(leaf))
            quoted.append(nested)
            listed.append(getattr(type(leaf), "represents", None) is list)
            return _Slot(len(tensors) - 1)
        return leaf

    # A tensor of a string is quoted unless it is the only input.
    quotes = len(inputs) > 1
    text = sep.join([_shown(value, slot, quotes) for value in inputs]) + end
    order = [int(number) for number in _NUMBERED.findall(text)]
    print.op.outputs(
        *(tensors[i] for i in order),
        template=_NUMBERED.sub(_SLOT, text),
        stream=_stream_name(output_stream),
        summarize=summarize,
        quoted=tuple(quoted[i] for i in order),
        listed=tuple(listed[i] for i in order),
        name=name,
    )
    return operation_to_ask_for()


def _shown(value: object, slot: Callable[[Any, bool], Any], quotes: bool) -> str:
    if isinstance(value, str):
        return value
    found = slot(value, quotes)
    if found is not value:
        return repr(found)
    return pprint.pformat(map_structure(lambda leaf: slot(leaf, True), value))


def print_text(text: TensorLike, stream: str) -> None:
    """Write a string to "stdout" or "stderr" whenever the graph runs."""
    print.op.outputs(text, template=_SLOT, stream=stream, summarize=3, quoted=(False,))


def _stream_name(stream: object) -> str:
    for name in ("stdout", "stderr"):
        if stream in (getattr(sys, name), getattr(sys, f"__{name}__"), f"sys.{name}", name):
            return name
    if stream is _DEFAULT_STREAM:
        return "stderr"
    raise ValueError(
        f"Unsupported output stream {stream}: supported are sys.stdout and sys.stderr; "
        "runtime.numpy_function calls any function of Python"
    )


_DEFAULT_STREAM = sys.stderr


def _assert(xp: Namespace, condition: Array, *data: Array, summarize: int, place: str) -> tuple[()]:
    if not np.all(condition):
        shown = " ".join(f"[{summary(value, summarize)}]" for value in data)
        where = f"\n  {place}" if place else ""
        raise AssertionFailedError.of(f"assertion failed: {shown}{where}")
    return ()


@op(
    "Assert",
    {"condition": BOOL, "*data": EXACT},
    infer=lambda condition, *data, **attrs: (),
    kernel=_assert,
    outputs=0,
    effect=Effect.WRITE,
    debug=True,
    staged_raise=True,
    emit=Emit.ASSERT,
    node=NodeForm(omitted=("place",)),
    samples=(sample(True, "message", [1, 2], summarize=3, place=""),),
)
def Assert(
    condition: TensorLike,
    data: Sequence[TensorLike],
    summarize: int | None = None,
    name: str | None = None,
) -> Operation | None:
    """Check that every element of `condition` is true when the program runs.

    Args:
      condition: bool Tensor; in eager mode, any value with a truth value.
      data: list of values that the error shows.
      summarize: number of elements shown of each tensor; -1: all; None: 3.

    Returns: The operation in a graph built by hand, None otherwise.
    Raises:
      InvalidArgumentError: with the line of the program, if the check fails.
      TypeError: if `data` is not a list.

    >>> Assert(2 > 1, ["two is larger"])
    """
    if not isinstance(data, Sequence):
        raise TypeError("values must be a sequence.")
    if STATE.graph is None:
        _assert_now(condition, data, summarize)
        return None
    refuse_handled_by_name(AssertionFailedError.of(""), "Test for it by an `if`.")
    place = user_place()
    values = [convert_to_tensor(value) for value in data]
    Assert.op.outputs(
        condition,
        *values,
        summarize=3 if summarize is None else summarize,
        place=str(place) if place else "",
        name=name,
    )
    return operation_to_ask_for()


def _assert_now(condition: object, data: Sequence[TensorLike], summarize: int | None) -> None:
    arrays = isinstance(condition, (Tensor, np.ndarray, list, tuple))
    known = np.asarray(condition) if arrays or hasattr(type(condition), "__tf_tensor__") else None
    if not (condition if known is None else np.all(known)):
        limit = 3 if summarize is None else summarize
        shown = "\n".join(_listed(value, limit) for value in data)
        text = f"Expected '{condition!s}' to be true. Summarized data: {shown}"
        raise AssertionFailedError.of(text)


def _listed(value: TensorLike, limit: int) -> str:
    flat = np.asarray(convert_to_tensor(value)).ravel()
    shown = [str(element) for element in (flat if limit < 0 else flat[:limit])]
    return ", ".join([*shown, "..."] if len(shown) < flat.size else shown)


def _raise_when(
    xp: Namespace, condition: Array, *values: Array, error: BaseException, place: str
) -> tuple[()]:
    if condition:
        raised = _with_values(error, values) if values else error
        # The same object may have been raised by an earlier run.
        raised.with_traceback(None)
        if place and place not in getattr(raised, "__notes__", ()):
            raised.add_note(place)
        raise Raised(raised)
    return ()


def _write_raise(place: Place) -> list[Ref]:
    error = place.op.attrs["error"]
    condition, *values = place.inputs
    (holds,) = place.part("LogicalNot", [condition], "LogicalNot")
    shown = type(error).__name__ if values else f"{type(error).__name__}: {error}"
    message = place.constant(np.array(shown.encode(), object), "data_0")
    return place.main("Assert", [holds, message, *values])


@op(
    "RaiseWhen",
    {"condition": BOOL, "*values": EXACT},
    infer=lambda condition, *values, error, place: (),
    kernel=_raise_when,
    outputs=0,
    effect=Effect.WRITE,
    staged_raise=True,
    emit=Emit.RAISE,
    node=NodeForm(write=_write_raise),
    samples=(sample(False, error=ValueError("no"), place=""),),
)
def raise_when(condition: TensorLike, error: BaseException) -> None:
    """Raise the program's own exception when a graph runs and `condition` holds.

    The exception keeps its type and args; a note names the line of the program. Tensors among its
    args and attributes become what they are when the graph runs: numbers, strings, or tensors with
    a value.
    """
    refuse_handled(error, "Test for it by an `if` in place of the handler.")
    values = [leaf for leaf in flatten((error.args, vars(error)))[0] if isinstance(leaf, Tensor)]
    place = place_of(error) or place_of_use()
    raise_when.op.outputs(condition, *values, error=error, place=f"  {place}" if place else "")


def _with_values(error: BaseException, values: Sequence[Any]) -> BaseException:
    """Return a copy of an exception with values in place of its tensors."""
    leaves, node = flatten((error.args, vars(error)))
    rest = iter(values)
    filled = [_known(next(rest)) if isinstance(leaf, Tensor) else leaf for leaf in leaves]
    args, names = unflatten(node, filled)
    kind = type(error)
    made: BaseException = kind.__new__(kind, *args)
    made.args = args
    vars(made).update(names)
    return made.with_traceback(error.__traceback__)


def _known(value: object) -> Any:
    array = np.asarray(value)
    return EagerTensor(array) if array.ndim else python_scalar(array)
