"""Looking into checkpoints without the objects that they belong to."""

from __future__ import annotations

import os
from typing import Any

from runtime.core.dtypes import DType
from runtime.core.errors import NotFoundError
from runtime.io.file_system import Named
from runtime.train.format import open_checkpoint
from runtime.train.state_file import latest_checkpoint


class CheckpointReader:
    """The arrays of a checkpoint by their keys; made by `load_checkpoint`."""

    def __init__(self, prefix: str) -> None:
        self._file, _ = open_checkpoint(prefix)

    def get_variable_to_shape_map(self) -> dict[str, list[int]]:
        """Return the shape of each array, by key."""
        return {key: list(self._file.spec(key)[1]) for key in sorted(self._file)}

    def get_variable_to_dtype_map(self) -> dict[str, DType]:
        """Return the dtype of each array, by key."""
        return {key: self._file.spec(key)[0] for key in sorted(self._file)}

    def has_tensor(self, tensor_str: str) -> bool:
        """Return whether there is an array of that key."""
        return tensor_str in self._file

    def get_tensor(self, tensor_str: str) -> Any:
        """Read an array. Raises NotFoundError if there is none of that key."""
        if tensor_str not in self._file:
            raise NotFoundError.of(f"Key {tensor_str} not found in checkpoint")
        array = self._file.array(tensor_str)
        return array if array.ndim else array[()]


def load_checkpoint(ckpt_dir_or_file: Named) -> CheckpointReader:
    """Open a checkpoint to read arrays by their keys.

    Args:
      ckpt_dir_or_file: the path of a checkpoint, or a directory, for its newest one.

    Returns: a reader with the methods `get_tensor`, `has_tensor`, `get_variable_to_shape_map` and
      `get_variable_to_dtype_map`.
    Raises: ValueError for a directory without checkpoints; NotFoundError, DataLossError for a
      checkpoint that cannot be read.

    >>> import runtime as tf, tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     path = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0])).write(f"{home}/ckpt")
    ...     reader = load_checkpoint(path)
    ...     print(reader.get_tensor("v/.ATTRIBUTES/VARIABLE_VALUE"))
    [1. 2.]
    """
    path = os.fsdecode(ckpt_dir_or_file)
    if os.path.isdir(path):
        latest = latest_checkpoint(path)
        if latest is None:
            raise ValueError(f"Couldn't find 'checkpoint' file or checkpoints in directory {path}")
        path = latest
    return CheckpointReader(path)


def list_variables(ckpt_dir_or_file: Named) -> list[tuple[str, list[int]]]:
    """List keys and shapes of a checkpoint.

    Args:
      ckpt_dir_or_file: the path of a checkpoint, or a directory, whose latest checkpoint is read.

    Returns: Pairs of a key and the dimensions of its array, in order of key.

    Raises:
      ValueError: if the directory has no checkpoint.
      NotFoundError: if there is no checkpoint of this path.
      DataLossError: if it is damaged.

    >>> import runtime as tf, tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     path = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0])).write(f"{home}/ckpt")
    ...     list_variables(path)
    [('v/.ATTRIBUTES/VARIABLE_VALUE', [2])]
    """
    return list(load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map().items())
