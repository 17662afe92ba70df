"""Which files a `convert` reads and where it writes them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from autograph.cli import sources
from autograph.cli.problems import Problem


class Target(NamedTuple):
    """A file to convert and the file to write; None: standard output, or nothing at all."""

    path: str
    destination: Path | None


def files_of_tree(
    top: str, exclude: str | None, problem: Callable[[Problem], None], note: Callable[[str], None]
) -> Iterator[str]:
    """The .py files of a tree, sorted; hidden folders and `__pycache__` are left out.

    Args:
      top: the folder.
      exclude: a folder below it that is not looked at, because the output goes there.
      problem: told about folders that cannot be read.
      note: told about links to folders, which are not followed: they may form a loop.
    """

    def unreadable(error: OSError) -> None:
        problem(sources.unreadable(str(error.filename), error))

    for folder, subfolders, names in os.walk(top, onerror=unreadable):
        entered = sorted(name for name in subfolders if _is_entered(folder, name, exclude, note))
        subfolders[:] = entered
        for name in sorted(names):
            if name.endswith(".py"):
                yield os.path.join(folder, name).removeprefix(f".{os.sep}")


def _is_entered(folder: str, name: str, exclude: str | None, note: Callable[[str], None]) -> bool:
    path = os.path.join(folder, name)
    if name.startswith(".") or name == "__pycache__":
        return False
    if os.path.islink(path):
        note(f"{path}: a link to a folder, not followed")
        return False
    return exclude is None or not same_file(path, exclude)


def same_file(one: str, other: str) -> bool:
    """Whether two paths lead to the same file or folder; False if one does not exist."""
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


def destination_of(path: str, top: str | None, out: str | None) -> Path | None:
    """Where the result of a file goes.

    Args:
      path: the file.
      top: the tree that it was found in; None: it was named itself.
      out: the `-o` of the command line; None: nowhere.

    >>> destination_of("src/pkg/a.py", "src", "build").as_posix()
    'build/pkg/a.py'
    >>> destination_of("src/pkg/a.py", None, "build/").as_posix()
    'build/a.py'
    """
    if out is None:
        return None
    if top is not None:
        return Path(out, os.path.relpath(path, top))
    return Path(out, os.path.basename(path)) if names_a_folder(out) else Path(out)


def names_a_folder(out: str) -> bool:
    """Whether a path is a folder, or is written as one."""
    return out.endswith(("/", os.sep)) or os.path.isdir(out)
