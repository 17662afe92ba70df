"""Keeping the newest checkpoints of a directory."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from typing import Any

from runtime.io.file_system import Named, makedirs, text_of
from runtime.train.checkpoint import Checkpoint
from runtime.train.format import SUFFIX
from runtime.train.state_file import CheckpointState, read_state, write_state


class CheckpointManager:
    """Writes numbered checkpoints to a directory, and removes old ones.

    Args:
      checkpoint: what to save.
      directory: where; other managers and programs keep theirs elsewhere.
      max_to_keep: number of checkpoints that are kept, the newest; None: all.
      keep_checkpoint_every_n_hours: of those that would be removed, keep one for each so many
        hours; None: none.
      checkpoint_name: the names before the numbers.
      step_counter: a variable with the number of steps, for `checkpoint_interval`.
      checkpoint_interval: number of steps between two checkpoints; None: each `save` writes one.
      init_fn: called by `restore_or_initialize` if there is no checkpoint.

    Raises: ValueError for a `max_to_keep` that is not positive, or an interval without a counter;
      DataLossError if the directory has a damaged file `checkpoint`, or one of another program.

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
        keep_checkpoint_every_n_hours: float | None = None,
        checkpoint_name: str = "ckpt",
        step_counter: Any = None,
        checkpoint_interval: int | None = None,
        init_fn: Callable[[], Any] | None = None,
    ) -> None:
        """Read which checkpoints there are."""
        if max_to_keep is not None and max_to_keep <= 0:
            raise ValueError(
                f"Expected a positive integer or `None` for `max_to_keep`, got {max_to_keep}."
            )
        if checkpoint_interval is not None and step_counter is None:
            raise ValueError(
                "`step_counter` should be passed if `checkpoint_interval` is not None."
            )
        self._checkpoint = checkpoint
        self._directory = text_of(directory)
        self._prefix = os.path.join(self._directory, checkpoint_name)
        self._max_to_keep = max_to_keep
        self._hours = keep_checkpoint_every_n_hours
        self._step_counter = step_counter
        self._interval = checkpoint_interval
        self._init_fn = init_fn
        self._last_step: int | None = None
        found = read_state(self._directory)
        self._latest = None if found is None else found.latest
        self._times = {} if found is None else dict(found.times)
        self._last_preserved = self._oldest(found)

    def _oldest(self, found: CheckpointState | None) -> float:
        now = time.time()
        if found is None:
            return now
        if found.last_preserved is not None:
            return min(found.last_preserved, now)
        return min([*found.times.values(), now])

    @property
    def directory(self) -> str:
        """The directory."""
        return self._directory

    @property
    def checkpoint(self) -> Checkpoint:
        """What is saved."""
        return self._checkpoint

    @property
    def checkpoint_interval(self) -> int | None:
        """The number of steps between two checkpoints, or None."""
        return self._interval

    @property
    def latest_checkpoint(self) -> str | None:
        """The path of the newest checkpoint, or None."""
        return self._latest

    @property
    def checkpoints(self) -> list[str]:
        """The paths of the checkpoints that may be removed later, the oldest first."""
        return list(self._times)

    def save(
        self,
        checkpoint_number: Any = None,
        check_interval: bool = True,
        options: None = None,
    ) -> str | None:
        """Write a checkpoint, and remove those that are too many.

        Args:
          checkpoint_number: its number, an int or a variable; None: that of `save_counter`.
          check_interval: whether to write nothing before `checkpoint_interval` steps have passed.
          options: has no effect.

        Returns: the path, or None if nothing was written.
        Raises: as `Checkpoint.write`.
        """
        step = None if self._step_counter is None else int(self._step_counter)
        if check_interval and self._interval is not None and self._last_step is not None:
            assert step is not None
            if step < self._last_step + self._interval:
                return None
        counter = self._checkpoint.save_counter
        counter.assign_add(1)
        number = int(counter if checkpoint_number is None else checkpoint_number)
        try:
            path = self._checkpoint.write(f"{self._prefix}-{number}")
        except BaseException:
            counter.assign_sub(1)
            raise
        self._last_step = step
        self._latest = path
        self._times.pop(path, None)
        self._times[path] = time.time()
        # The list must never name a checkpoint that is gone, whenever the process ends.
        removed = self._superfluous()
        self._record()
        for old in removed:
            with contextlib.suppress(FileNotFoundError):
                os.remove(old + SUFFIX)
        return path

    def _superfluous(self) -> list[str]:
        """Take the checkpoints off the list that are not kept; return those to remove."""
        removed = []
        while self._max_to_keep is not None and len(self._times) > self._max_to_keep:
            path = next(iter(self._times))
            when = self._times.pop(path)
            if self._hours is not None and when - self._hours * 3600 >= self._last_preserved:
                self._last_preserved = when
            else:
                removed.append(path)
        return removed

    def _record(self) -> None:
        assert self._latest is not None
        makedirs(self._directory)
        state = CheckpointState(self._latest, self._times, self._last_preserved)
        write_state(self._directory, state)

    def restore_or_initialize(self) -> str | None:
        """Restore the newest checkpoint; call `init_fn` if there is none.

        Returns: the path of the checkpoint, or None.
        Raises: as `Checkpoint.restore`.
        """
        if self._latest is not None:
            self._checkpoint.restore(self._latest)
            if self._step_counter is not None:
                self._last_step = int(self._step_counter)
            return self._latest
        if self._init_fn is not None:
            self._init_fn()
        return None
