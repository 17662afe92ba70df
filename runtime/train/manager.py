"""Keeping the newest checkpoints of a directory."""

from __future__ import annotations

import contextlib
import os
import time
from typing import Any

from runtime.io.file_system import Named, makedirs
from runtime.ops.base.arguments import static_int
from runtime.train.checkpoint import Checkpoint
from runtime.train.format import SUFFIX
from runtime.train.state_file import CheckpointState, read_state, write_state


class CheckpointManager:
    """Writes numbered checkpoints to a directory, and removes old ones.

    Args:
      checkpoint: what to save.
      directory: where; other managers and programs keep theirs elsewhere.
      max_to_keep: number of checkpoints that are kept, the newest; None: all.
      checkpoint_name: the names before the numbers.

    Raises: TypeError for something else than a checkpoint; ValueError for a `max_to_keep` that is
      not positive; DataLossError if the directory has a damaged file `checkpoint`, or one of
      another program.

    >>> import runtime as tf, tempfile, os
    >>> checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
    >>> with tempfile.TemporaryDirectory() as home:
    ...     manager = tf.train.CheckpointManager(checkpoint, home, max_to_keep=2)
    ...     paths = [manager.save() for _ in range(3)]
    ...     [os.path.basename(path) for path in manager.checkpoints]
    ['ckpt-2', 'ckpt-3']
    """

    def __init__(
        self,
        checkpoint: Checkpoint,
        directory: Named,
        max_to_keep: int | None,
        checkpoint_name: str = "ckpt",
    ) -> None:
        if not isinstance(checkpoint, Checkpoint):
            raise TypeError(
                f"`checkpoint` is a `train.Checkpoint`, not {checkpoint!r}. Write "
                "CheckpointManager(train.Checkpoint(model=model), ...)."
            )
        if max_to_keep is not None and max_to_keep <= 0:
            raise ValueError(
                f"Expected a positive integer or `None` for `max_to_keep`, got {max_to_keep}."
            )
        self._checkpoint = checkpoint
        self._directory = os.fsdecode(directory)
        self._prefix = os.path.join(self._directory, checkpoint_name)
        self._max_to_keep = max_to_keep
        found = read_state(self._directory)
        self._latest = None if found is None else found.latest
        self._times = {} if found is None else dict(found.times)

    @property
    def directory(self) -> str:
        """The directory."""
        return self._directory

    @property
    def checkpoint(self) -> Checkpoint:
        """The checkpoint that is saved."""
        return self._checkpoint

    @property
    def latest_checkpoint(self) -> str | None:
        """The path of the newest checkpoint, or None."""
        return self._latest

    @property
    def checkpoints(self) -> list[str]:
        """The paths of the checkpoints that may be removed later, the oldest first."""
        return list(self._times)

    def save(self, checkpoint_number: Any = None) -> str:
        """Write a checkpoint, and remove those that are too many.

        Args:
          checkpoint_number: its number, an int or a variable; None: that of `save_counter`.

        Returns: the path.
        Raises: as `Checkpoint.write`.
        """
        counter = self._checkpoint.save_counter
        number: Any = checkpoint_number
        number = int(counter) + 1 if number is None else static_int("checkpoint_number", number)
        counter.assign_add(1)
        try:
            path = self._checkpoint.write(f"{self._prefix}-{number}")
        except BaseException:
            counter.assign_sub(1)
            raise
        self._latest = path
        self._times.pop(path, None)
        self._times[path] = time.time()
        count = 0 if self._max_to_keep is None else len(self._times) - self._max_to_keep
        removed = list(self._times)[: max(count, 0)]
        for old in removed:
            del self._times[old]
        # The list must never name a checkpoint that is gone, whenever the process ends.
        makedirs(self._directory)
        write_state(self._directory, CheckpointState(path, self._times))
        for old in removed:
            with contextlib.suppress(FileNotFoundError):
                os.remove(old + SUFFIX)
        return path

    def restore_or_initialize(self) -> str | None:
        """Restore the newest checkpoint, if there is one.

        Returns: the path of the checkpoint, or None.
        Raises: as `Checkpoint.restore`.
        """
        if self._latest is not None:
            self._checkpoint.restore(self._latest)
        return self._latest
