"""Positions of items in Python's lists and dicts, with Python's errors."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array, Namespace
from runtime.core.dispatch import execute
from runtime.core.errors import UnimplementedError
from runtime.core.handlers import current_place, raised
from runtime.core.opdef import EXACT, INT32, INTEGER, DTypes, Effect, Emit, sample
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.convert import cast_to, convert_to_tensor
from runtime.ops.base.define import define_op

_WIDE = (dtypes.int64, dtypes.uint32, dtypes.uint64)
_ORDINAL = DTypes("an integer", *INTEGER.members, mixed=True)
_LENGTH = DTypes("int32", *INT32.members, mixed=True)


def _position_spec(index: Tensor, length: Tensor, message: str, place: str) -> TensorSpec:
    wide = index.spec.dtype in _WIDE
    return spec_of(dtypes.int64 if wide else dtypes.int32, ())


def _position(xp: Namespace, index: Array, length: Array, message: str, place: str) -> Array:
    position, count = int(index), int(length)
    if not -count <= position < count:
        raise raised(IndexError(message), place)
    wide = dtypes.from_numpy(np.asarray(index).dtype) in _WIDE
    return xp.array(position % count, dtype="int64" if wide else "int32")


# The effect keeps the check where nothing reads the item, and in program order.
_POSITION = define_op(
    "ItemPosition",
    {"index": _ORDINAL, "length": _LENGTH},
    _position_spec,
    _position,
    effect=Effect.WRITE,
    emit=Emit.POSITION,
    samples=(sample(-1, 3, message="list index out of range", place=""),),
)


def item_position(index: Tensor, length: TensorLike, message: str) -> Tensor:
    """Normalize an index of a Python sequence; int32, or int64 for a wider index.

    `message` is the text of the IndexError that the graph raises for an index out of range.

    >>> print(item_position(convert_to_tensor(-1), 3, "list index out of range"))
    tf.Tensor(2, shape=(), dtype=int32)
    """
    operands = (index, convert_to_tensor(length))
    attrs = {"message": message, "place": current_place(IndexError)}
    return execute(_POSITION.definition, operands, attrs, "item_position")[0]


HOLE = "\0"
"""Marks a tensor in the pattern of a key."""

Pattern = str | tuple[Any, ...]
"""`HOLE`, or a tuple of values and holes."""


def _key_position(
    xp: Namespace, *parts: Array, keys: tuple[Any, ...], pattern: Pattern, missing: str, place: str
) -> Array:
    table = _table(keys)
    values = [_python_value(part) for part in parts]
    key: Any = values[0]
    if isinstance(pattern, tuple):
        rest = iter(values)
        key = tuple(next(rest) if part is HOLE else part for part in pattern)
    position = table.get(key, -1)
    if position < 0 and missing == "raise":
        raise raised(KeyError(key), place)
    if position < 0 and missing == "refuse":
        raise UnimplementedError.of(
            f"a dict gets the key {key!r}, which it does not have: a graph cannot add keys to a "
            "dict. Give the dict all its keys before."
        )
    return xp.array(position, dtype="int32")


@functools.lru_cache(maxsize=256)
def _table(keys: tuple[Any, ...]) -> dict[Any, int]:
    return {key: position for position, key in enumerate(keys)}


def _python_value(part: object) -> Any:
    value = np.asarray(part).item()
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value


_KEY_POSITION = define_op(
    "KeyPosition",
    {"*parts": EXACT},
    lambda *parts, **attrs: spec_of(dtypes.int32, ()),
    _key_position,
    effect=Effect.WRITE,
    samples=(sample(7, keys=(5, 7), pattern=HOLE, missing="raise", place=""),),
)


def key_position(
    parts: Sequence[Tensor], keys: tuple[Any, ...], pattern: Pattern, missing: str
) -> Tensor:
    """Return the position of a key among those of a dict.

    Args:
      parts: the tensors in the key; strings compare as `str`.
      keys: the keys of the dict, compared as Python compares them.
      pattern: where in the key the tensors are.
      missing: for a key that is not there, "raise": Python's KeyError; "refuse": an error that says
        that a graph cannot add keys; "mark": -1.

    Returns: int32 scalar.

    >>> print(key_position([convert_to_tensor(2)], (1, 2), HOLE, "mark"))
    tf.Tensor(1, shape=(), dtype=int32)
    """
    errors = (KeyError,) if missing == "raise" else ()
    place = current_place(*errors)
    attrs = {"keys": keys, "pattern": pattern, "missing": missing, "place": place}
    return execute(_KEY_POSITION.definition, tuple(parts), attrs, "key_position")[0]


def as_index(index: Tensor) -> Tensor:
    """Return an index of a sequence as an integer: Python takes bools as 0 and 1."""
    return cast_to(index, dtypes.int32) if index.dtype is dtypes.bool else index
