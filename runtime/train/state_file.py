"""The file `checkpoint` of a directory: which checkpoints there are, and which one is the newest.

It is a JSON object:

    {"format": "autograph-numpy checkpoints", "version": 1, "latest": NAME,
     "checkpoints": [{"name": NAME, "time": SECONDS}, ...]}

Names are those of files in the same directory, without suffix. Times are seconds since 1970.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from runtime.core.context import get_logger
from runtime.core.errors import DataLossError
from runtime.io.file_system import Named, opened
from runtime.io.value_file import replace_file
from runtime.train.format import SUFFIX

FORMAT, VERSION = "autograph-numpy checkpoints", 1
NAME = "checkpoint"


class CheckpointState(NamedTuple):
    """The checkpoints of a directory.

    Attributes:
      latest: the newest.
      times: when each was written, the oldest first.
    """

    latest: str
    times: Mapping[str, float]


def write_state(directory: str, state: CheckpointState) -> None:
    """Write the state file of a directory, or replace it."""
    message = {
        "format": FORMAT,
        "version": VERSION,
        "latest": os.path.basename(state.latest),
        "checkpoints": [
            {"name": os.path.basename(path), "time": time} for path, time in state.times.items()
        ],
    }
    replace_file(os.path.join(directory, NAME), json.dumps(message).encode())


def read_state(directory: str, filename: str | None = None) -> CheckpointState | None:
    """Read the state file of a directory; None if there is none.

    Raises: DataLossError for a damaged file, or one of another program.
    """
    path = os.path.join(directory, filename or NAME)
    if not os.path.isfile(path):
        return None
    with opened(path, "rb") as file:
        content = file.read()
    try:
        return _state(directory, json.loads(content))
    except (LookupError, RecursionError, TypeError, ValueError) as error:
        raise DataLossError.of(
            f"{path} is damaged, or another program wrote it: {error}. It lists the checkpoints "
            "of a directory; remove it to begin anew.",
        ) from error


def _state(directory: str, message: Any) -> CheckpointState:
    if (message["format"], message["version"]) != (FORMAT, VERSION):
        raise ValueError(f"it is of the format {message['format']!r} {message['version']!r}")

    def path_of(name: object) -> str:
        # A manager deletes checkpoints by these names, so none may lead out of the directory.
        if not isinstance(name, str) or os.path.basename(name) != name or name in ("", ".", ".."):
            raise ValueError(f"{name!r} is not the name of a checkpoint")
        return os.path.join(directory, name)

    times = {path_of(each["name"]): float(each["time"]) for each in message["checkpoints"]}
    return CheckpointState(path_of(message["latest"]), times)


def latest_checkpoint(checkpoint_dir: Named, latest_filename: str | None = None) -> str | None:
    """Find the newest checkpoint of a directory.

    Args:
      checkpoint_dir: the directory.
      latest_filename: the name of the file that lists the checkpoints; None: `checkpoint`.

    Returns: the path for `Checkpoint.restore`, or None if there is no checkpoint.
    Raises: DataLossError if the file that lists them is damaged, or of another program.

    >>> import runtime as tf, tempfile, os
    >>> with tempfile.TemporaryDirectory() as home:
    ...     _ = tf.train.Checkpoint(v=tf.Variable(1.0)).save(f"{home}/ckpt")
    ...     os.path.basename(latest_checkpoint(home)), latest_checkpoint("/no/such")
    ('ckpt-1', None)
    """
    state = read_state(os.fsdecode(checkpoint_dir), latest_filename)
    if state is None:
        return None
    if not os.path.exists(state.latest + SUFFIX):
        get_logger().error(f"Couldn't match files for checkpoint {state.latest}")
        return None
    return state.latest
