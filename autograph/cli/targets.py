"""Which files a `convert` reads and where it writes them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from autograph.cli import sources
from autograph.cli.exclusions import HIDDEN, Exclusions
from autograph.cli.problems import Problem


class Target(NamedTuple):
    """A file to convert and the file to write; None: standard output, or nothing at all."""

    path: str
    destination: Path | None


@dataclass(frozen=True)
class Tree:
    """A folder to convert.

    Args:
      top: the folder.
      output: a folder below it that is not looked at, because the output goes there.
      follows_links: whether a link to a file is read as a file. Not where its target would be
        written, which may be anywhere.
      exclusions: what is left alone.
      problem: told about folders that cannot be read.
      note: told about links that are not followed.
      left_out: told what is left alone, and why.
    """

    top: str
    output: str | None
    follows_links: bool
    exclusions: Exclusions
    problem: Callable[[Problem], None]
    note: Callable[[str], None]
    left_out: Callable[[str, str], None]

    def files(self) -> Iterator[str]:
        """Yield the .py files that are to be converted, sorted in each folder."""
        for folder, subfolders, names in os.walk(self.top, onerror=self._unreadable):
            subfolders[:] = sorted(name for name in subfolders if self._is_entered(folder, name))
            for name in sorted(names):
                path = os.path.join(folder, name).removeprefix(f".{os.sep}")
                if name.endswith(".py") and self._is_taken(path):
                    yield path

    def _unreadable(self, error: OSError) -> None:
        self.problem(sources.unreadable(str(error.filename), error))

    def _is_entered(self, folder: str, name: str) -> bool:
        path = os.path.join(folder, name)
        if self._is_left_out(path, True):
            return False
        if os.path.islink(path):
            # It may lead out of the tree, or form a loop.
            self.note(f"{path}: a link to a folder, not followed")
            return False
        return self.output is None or not same_file(path, self.output)

    def _is_taken(self, path: str) -> bool:
        if self._is_left_out(path, False):
            return False
        if os.path.islink(path) and not self.follows_links:
            self.note(f"{path}: a link to a file, not followed")
            return False
        return True

    def _is_left_out(self, path: str, is_folder: bool) -> bool:
        reason = self.exclusions.reason(path, is_folder)
        if reason is not None and reason != HIDDEN:
            self.left_out(path.removeprefix(f".{os.sep}"), reason)
        return reason is not None


def same_file(one: str, other: str) -> bool:
    """Return whether two paths lead to the same file or folder; False if one does not exist."""
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
    """Return whether a path is a folder, or is written as one."""
    return out.endswith(("/", os.sep)) or os.path.isdir(out)
