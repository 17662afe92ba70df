"""Files as operations, in the order of effects of a program."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.opdef import STRING, Effect, sample
from runtime.core.spec import spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.io import file_system
from runtime.ops.base.define import define_op


def _read(xp: object, filename: object) -> Any:
    path: Any = np.asarray(filename, object)[()]
    with file_system.opened(path, "rb") as file:
        return np.array(file.read(), object)


_READ = define_op(
    "ReadFile",
    {"filename": STRING},
    lambda filename: spec_of(dtypes.string, ()),
    _read,
    effect=Effect.WRITE,
    samples=(sample(os.devnull),),
)


def read_file(filename: TensorLike, name: str | None = None) -> Tensor:
    """Read a file, each time the program comes here.

    Args:
      filename: its path, a scalar.

    Returns:
      The contents, a string scalar.

    Raises: NotFoundError if there is none.

    >>> import os
    >>> print(read_file(os.devnull))
    tf.Tensor(b'', shape=(), dtype=string)
    """
    return _READ(filename, name=name)
