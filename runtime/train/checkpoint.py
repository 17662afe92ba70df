"""Checkpoints: the state of the objects of a program in a file, and back."""

from __future__ import annotations

import os
import time
from typing import Any

from runtime.core import dtypes
from runtime.core.observed import Observed
from runtime.core.thread import STATE
from runtime.io.file_system import Named
from runtime.state.object_graph import is_walked, part, parts
from runtime.state.variable import Variable
from runtime.train.format import is_state, write_checkpoint
from runtime.train.restoring import CheckpointLoadStatus, Restoration
from runtime.train.state_file import CheckpointState, write_state

_OWN = ("_root", "_save_counter")


class Checkpoint(Observed):
    """Objects whose state is saved and restored together.

    The state is that of all variables and dataset iterators that the objects hold: as attributes,
    in lists, tuples and dicts, and in objects of the program that they hold. Values are found again
    by these names.

    Args:
      root: an object whose parts are saved under their own names.
      **kwargs: objects that are saved under these names; they become attributes.

    Raises: ValueError for an object that cannot hold state, such as a number.

    >>> import runtime as tf, tempfile
    >>> step, weights = tf.Variable(0), tf.Variable([1.0, 2.0])
    >>> checkpoint = tf.train.Checkpoint(step=step, weights=weights)
    >>> with tempfile.TemporaryDirectory() as home:
    ...     path = checkpoint.save(f"{home}/ckpt")
    ...     _ = weights.assign([0.0, 0.0])
    ...     _ = checkpoint.restore(path)
    >>> print(weights.numpy())
    [1. 2.]
    """

    def __init__(self, root: object = None, **kwargs: object) -> None:
        if root is not None:
            _require_trackable("root", root)
        self._root = root
        self._save_counter: Variable | None = None
        for name, value in sorted(kwargs.items()):
            _require_trackable(name, value)
            known = None if root is None else part(root, name)
            if known is not None and known is not value:
                raise ValueError(
                    f"Cannot create a Checkpoint with keyword argument {name} if "
                    f"root.{name} already exists and is another object."
                )
            setattr(self, name, value)

    def __parts__(self) -> dict[str, Any]:
        """Return what is saved, by name."""
        inner = {} if self._root is None else dict(parts(self._root))
        own = {name: value for name, value in vars(self).items() if name not in _OWN}
        counter = {} if self._save_counter is None else {"save_counter": self._save_counter}
        return {**inner, **own, **counter}

    @property
    def save_counter(self) -> Variable:
        """The number of calls of `save`; saved with the rest."""
        if self._save_counter is None:
            self._save_counter = Variable(
                0, trainable=False, name="save_counter", dtype=dtypes.int64
            )
        return self._save_counter

    def save(self, file_prefix: Named, options: None = None) -> str:
        """Write a numbered checkpoint, and note it as the newest of its directory.

        Args:
          file_prefix: the path without the number.
          options: has no effect.

        Returns: the path with the number, for `restore`.
        Raises: as `write`.
        """
        _refuse_in_graph("written")
        counter = self.save_counter
        counter.assign_add(1)
        path = f"{os.fsdecode(file_prefix)}-{int(counter.numpy())}"
        try:
            self.write(path)
        except BaseException:
            counter.assign_sub(1)
            raise
        write_state(os.path.dirname(path), CheckpointState(path, {path: time.time()}))
        return path

    def write(self, file_prefix: Named, options: None = None) -> str:
        """Write a checkpoint of this very name, which is not numbered.

        Args:
          file_prefix: the path without suffix.
          options: has no effect.

        Returns: the path, for `read` and `restore`.
        Raises: ResourceExhaustedError if the disk is full, another OpError if the file system
          refuses; the checkpoint that was there before is still there then.
        """
        _refuse_in_graph("written")
        path = os.fsdecode(file_prefix)
        write_checkpoint(self, path)
        return path

    def read(self, save_path: Named, options: None = None) -> CheckpointLoadStatus:
        """Restore a checkpoint, as `restore` does, but for the counter of `save`.

        Args:
          save_path: what `write` or `save` returned.
          options: has no effect.

        Returns: A status, as for `restore`.
        Raises: NotFoundError, DataLossError, ValueError, InvalidArgumentError as for `restore`.
        """
        _refuse_in_graph("read")
        return CheckpointLoadStatus(self, Restoration(self, os.fsdecode(save_path), self._root))

    def restore(self, save_path: Named | None, options: None = None) -> CheckpointLoadStatus:
        """Give the objects the state that was saved.

        Values for which there is no object yet are restored when the program creates it.

        Args:
          save_path: what `save` or `write` returned; None: nothing happens.
          options: has no effect.

        Returns: a status, whose methods require that all was restored.
        Raises: NotFoundError if there is no checkpoint; DataLossError if it is damaged; ValueError
          for a value of another shape than its variable, InvalidArgumentError for another dtype.
          No variable has changed then.
        """
        if save_path is None:
            return CheckpointLoadStatus(self, None)
        _refuse_in_graph("restored")
        counter = self.save_counter
        restoration = Restoration(self, os.fsdecode(save_path), self._root)
        return CheckpointLoadStatus(self, restoration, exempt=counter)


def _require_trackable(name: str, value: object) -> None:
    if not (is_state(value) or is_walked(value)):
        raise ValueError(
            f"`Checkpoint` was expecting {name} to be a trackable object (a variable, a dataset "
            f"iterator, a module, or a structure or object that holds some), got {value!r}. Keep "
            "a number in a tf.Variable to have it saved."
        )


def _refuse_in_graph(what: str) -> None:
    if STATE.graph is not None:
        raise RuntimeError(
            f"a checkpoint cannot be {what} while the function `{STATE.graph.name}` is recorded: "
            "it would happen then, and not when the graph runs. Do it outside the function."
        )
