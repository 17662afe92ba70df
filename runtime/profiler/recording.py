"""The profile that is being made, by `cProfile`."""

from __future__ import annotations

import cProfile
import os
import socket
import time

from runtime.core.errors import AlreadyExistsError, UnavailableError
from runtime.io import file_system

_RUNNING: list[cProfile.Profile] = []
_DIRECTORIES: list[str] = []


def begin() -> None:
    """Begin a profile of this thread.

    Raises: AlreadyExistsError if a profile is being made.
    """
    if _RUNNING:
        raise AlreadyExistsError.of("Another profiler is running: call `stop` first.")
    _RUNNING.append(cProfile.Profile())
    _RUNNING[0].enable()


def end(logdir: str | os.PathLike[str] | None) -> None:
    """End the profile and write `plugins/profile/TIME/HOST.pstats` in a directory; None drops it.

    Raises: UnavailableError if no profile is being made.
    """
    if not _RUNNING:
        raise UnavailableError.of("Cannot stop profiling: call `start` first.")
    profile = _RUNNING.pop()
    profile.disable()
    if logdir is not None:
        directory = os.path.join(logdir, "plugins", "profile", time.strftime("%Y_%m_%d_%H_%M_%S"))
        file_system.makedirs(directory)
        profile.dump_stats(os.path.join(directory, f"{socket.gethostname()}.pstats"))


def start(logdir: str | os.PathLike[str], options: object = None) -> None:
    """Begin a profile of this thread.

    Args:
      logdir: `stop` writes `plugins/profile/TIME/HOST.pstats` in this directory.
      options: no effect.

    Raises: AlreadyExistsError if a profile is being made.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     start(home)
    ...     stop()
    """
    begin()
    _DIRECTORIES[:] = [os.fspath(logdir)]


def stop(save: bool = True) -> None:
    """End the profile that `start` began.

    Args:
      save: whether it is written.

    Raises: UnavailableError if no profile is being made.

    >>> start("profile")
    >>> stop(save=False)
    """
    end(_DIRECTORIES[0] if save and _DIRECTORIES else None)
    _DIRECTORIES.clear()
