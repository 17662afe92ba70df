"""Files as operations, in the order of effects of a program."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.context import operation_to_ask_for
from runtime.core.opdef import STRING, Effect, sample
from runtime.core.operation import Operation
from runtime.core.spec import spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.io import file_system
from runtime.ops.define import define_op


def _bytes(value: Any) -> bytes:
    return np.asarray(value, object)[()]  # type: ignore[return-value]


def _text(value: Any) -> str:
    return os.fsdecode(_bytes(value))


def _read(xp: Any, filename: Any) -> Any:
    with file_system.opened(_text(filename), "rb") as file:
        return np.array(file.read(), object)


def _write(xp: Any, filename: Any, contents: Any) -> tuple[()]:
    path = _text(filename)
    parent = os.path.dirname(path)
    if parent:
        file_system.makedirs(parent)
    with file_system.opened(path, "wb") as file:
        file.write(_bytes(contents))
    return ()


def _matching(xp: Any, pattern: Any) -> Any:
    patterns = [_text(one) for one in np.asarray(pattern, object).ravel()]
    found = sorted(os.fsencode(path) for path in file_system.glob(patterns))
    result = np.empty(len(found), object)
    result[:] = found
    return result


_READ = define_op(
    "ReadFile",
    {"filename": STRING},
    lambda filename: spec_of(dtypes.string, ()),
    _read,
    effect=Effect.WRITE,
    samples=(sample(os.devnull),),
)
_WRITE = define_op(
    "WriteFile",
    {"filename": STRING, "contents": STRING},
    lambda filename, contents: (),
    _write,
    outputs=0,
    effect=Effect.WRITE,
    samples=(sample(os.devnull, "a"),),
)
_MATCHING = define_op(
    "MatchingFiles",
    {"pattern": STRING},
    lambda pattern: spec_of(dtypes.string, (None,)),
    _matching,
    effect=Effect.WRITE,
    samples=(sample(os.devnull), sample([os.devnull, os.devnull])),
)


def read_file(filename: TensorLike, name: str | None = None) -> Tensor:
    """The contents of a file, each time the program comes here.

    Args:
      filename: its path, a scalar.
      name: the name of the operation.

    Raises: NotFoundError if there is none.

    >>> import os
    >>> print(read_file(os.devnull))
    tf.Tensor(b'', shape=(), dtype=string)
    """
    return _READ(filename, name=name)


def write_file(
    filename: TensorLike, contents: TensorLike, name: str | None = None
) -> Operation | None:
    """Writes a file, and makes the directories above it if they are missing.

    Args:
      filename: its path, a scalar.
      contents: a string, a scalar.
      name: the name of the operation.

    Returns: the operation in a graph built by hand, else None.

    >>> import os
    >>> write_file(os.devnull, "text")
    """
    _WRITE.outputs(filename, contents, name=name)
    return operation_to_ask_for()


def matching_files(pattern: TensorLike, name: str | None = None) -> Tensor:
    """The paths of files that there are, sorted.

    Args:
      pattern: one pattern or several, in which `*`, `?` and `[...]` stand for characters of a name.
      name: the name of the operation.

    >>> print(matching_files("/no/such/*"))
    tf.Tensor([], shape=(0,), dtype=string)
    """
    return _MATCHING(pattern, name=name)
