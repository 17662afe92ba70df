"""Event files: written by TensorBoard's own writer (extra `tensorboard`)."""

from __future__ import annotations

import os
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from runtime.core.machine.extras import load_extra
from runtime.core.opdef import Effect, sample
from runtime.io import file_system
from runtime.io.tensors import serialize_array
from runtime.ops.base.define import define_op
from runtime.summary.context import DEFAULTS, Writer, ambient, refuse_in_graph, scope, set_defaults

_QUEUE, _FLUSH_SECONDS = 10, 120
"""Numbers of events and of seconds after which the file is written at the latest."""

_SUFFIX = ".v2"


def proto(module: str) -> Any:
    """Return a module of TensorBoard's messages, for instance `event`.

    Raises: ModuleNotFoundError without TensorBoard; names the extra.
    """
    name = f"tensorboard.compat.proto.{module}_pb2"
    return load_extra(name, "tensorboard", "runtime.summary")


class SummaryWriter:
    """Writes summaries to an event file; see `create_file_writer`.

    Args:
      logdir: the directory.
      writer: TensorBoard's writer of the file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     writer = create_file_writer(home)
    ...     writer.flush()
    ...     writer.close()
    """

    def __init__(self, logdir: str, writer: Any) -> None:
        """Take over the writer, which is closed with this object at the latest."""
        self._logdir = logdir
        self._writer = writer
        self._close = weakref.finalize(self, writer.close)

    @contextmanager
    def as_default(self, step: object = None) -> Iterator[SummaryWriter]:
        """Make this the default writer inside, and flush it at the end.

        Args:
          step: default step inside; None leaves it as it is.

        Returns: A context manager.

        Raises: RuntimeError if the writer is closed.
        """
        self._require_open()
        with scope(writer=self, **({} if step is None else {"step": step})):
            yield self
        self.flush()

    def set_as_default(self, step: object = None) -> None:
        """Make this the default writer of this thread.

        Args:
          step: default step from now on; None leaves it as it is.

        Raises:
          RuntimeError: if the writer is closed.
          StagingError: while a graph is recorded.
        """
        refuse_in_graph("set_as_default", "Write `with writer.as_default():`.")
        self._require_open()
        set_defaults(writer=self)
        if step is not None:
            set_defaults(step=step)

    def flush(self) -> None:
        """Write to disk what was recorded; for a graph when it runs."""
        _FLUSH.outputs(writer=self)

    def close(self) -> None:
        """Flush and close the file. Further calls have no effect."""
        refuse_in_graph("close", "Call it outside of the function.")
        self._close()
        if DEFAULTS.writer is self:
            set_defaults(writer=None)

    def _require_open(self) -> None:
        if not self._close.alive:
            raise RuntimeError(f"The summary writer of {self._logdir} is closed: create another.")

    def flush_now(self) -> None:
        """Flush the file, unless it is closed."""
        if self._close.alive:
            self._writer.flush()

    def add_value(self, tag: str, step: int, array: object, metadata: object) -> None:
        """Write a value of a summary.

        Args:
          tag: its name.
          step: the step.
          array: its value.
          metadata: TensorBoard's message, or None.

        Raises: RuntimeError if the writer is closed.
        """
        tensor = proto("tensor").TensorProto.FromString(serialize_array(array))
        summary = proto("summary").Summary
        value = summary.Value(tag=tag, tensor=tensor, metadata=metadata)
        self.add_event(step=step, summary=summary(value=[value]))

    def add_event(self, **fields: Any) -> None:
        """Write an event with these fields.

        Args:
          **fields: the fields of TensorBoard's message `Event`, other than `wall_time`.

        Raises: RuntimeError if the writer is closed.
        """
        self._require_open()
        self._writer.add_event(proto("event").Event(wall_time=time.time(), **fields))

    def __repr__(self) -> str:
        return f"<SummaryWriter of {self._logdir}>"


def _flush(xp: object, writer: Writer | None) -> tuple[()]:
    found = writer or DEFAULTS.writer
    if found is not None:
        found.flush_now()
    return ()


_FLUSH = define_op(
    "FlushSummaryWriter",
    {},
    lambda writer: (),
    _flush,
    outputs=0,
    effect=Effect.WRITE,
    samples=(sample(writer=None),),
)


def flush(writer: SummaryWriter | None = None, name: str | None = None) -> None:
    """Write to disk what was recorded; for a graph when it runs.

    Args:
      writer: the writer; None is the default writer, if there is one.
      name: no effect.

    >>> flush()
    """
    _FLUSH.outputs(writer=writer or ambient().writer)


def create_file_writer(logdir: str | os.PathLike[str], *, name: str | None = None) -> SummaryWriter:
    """Create an event file for TensorBoard.

    Args:
      logdir: the directory, which is created.
      name: no effect.

    Returns: A writer, which is closed at the end of the program at the latest. The file has the
      name `events.out.tfevents.SECONDS.HOST.PROCESS.NUMBER.v2`.

    Raises:
      ModuleNotFoundError: without TensorBoard; names the extra.
      FailedPreconditionError, PermissionDeniedError: if the directory cannot be created.
      StagingError: while a graph is recorded.

    >>> import tempfile
    >>> import runtime as tf
    >>> with tempfile.TemporaryDirectory() as home:
    ...     writer = create_file_writer(home)
    ...     with writer.as_default():
    ...         written = tf.summary.scalar("loss", 0.5, step=1)
    ...     writer.close()
    >>> print(written)
    tf.Tensor(True, shape=(), dtype=bool)
    """
    refuse_in_graph("create_file_writer", "Call it outside of the function.")
    module = load_extra(
        "tensorboard.summary.writer.event_file_writer", "tensorboard", "create_file_writer"
    )
    directory = os.fspath(logdir)
    with file_system.reported(directory):
        os.makedirs(directory, exist_ok=True)  # TensorBoard has TensorFlow do it, if installed.
        writer = module.EventFileWriter(directory, _QUEUE, _FLUSH_SECONDS, _SUFFIX)
    return SummaryWriter(directory, writer)
