"""`runtime.profiler.experimental`: profiles of this thread, read by Python's `pstats`.

Graphs run as Python functions with the names of their functions, so they are in the profile.
"""

from __future__ import annotations

import os

from runtime.core import namespaces
from runtime.profiler import recording

_DIRECTORIES: list[str] = []


def start(logdir: str | os.PathLike[str], options: object = None) -> None:
    """Begin a profile of this thread.

    Args:
      logdir: `stop` writes `plugins/profile/TIME/HOST.pstats` in this directory.
      options: no effect.

    Raises:
      AlreadyExistsError: if a profile is being made.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     start(home)
    ...     stop()
    """
    recording.begin()
    _DIRECTORIES[:] = [os.fspath(logdir)]


def stop(save: bool = True) -> None:
    """End the profile that `start` began.

    Args:
      save: whether it is written.

    Raises:
      UnavailableError: if no profile is being made.

    >>> start("profile")
    >>> stop(save=False)
    """
    recording.end(_DIRECTORIES[0] if save and _DIRECTORIES else None)
    _DIRECTORIES.clear()


def __dir__() -> list[str]:
    """Return the public names."""
    return namespaces.public_names(globals())
