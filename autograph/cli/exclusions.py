"""Files and folders of a tree that are left alone: caches, builds, what git ignores."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pathspec

from autograph.cli.settings import Settings

BUILT = frozenset(
    {
        "__pypackages__",
        "_build",
        "buck-out",
        "build",
        "dist",
        "node_modules",
        "site-packages",
        "venv",
    }
)
"""Names of folders that hold no source; hidden folders and `__pycache__` do not either."""

HIDDEN = "hidden"
"""The reason that nobody needs to be told."""

_ENVIRONMENT_MARKS = ("pyvenv.cfg", "conda-meta")
_RULES = ".gitignore"


class Exclusions:
    """Decides which entries of one tree are left alone."""

    def __init__(self, top: str, settings: Settings) -> None:
        """Read the rules of git from the root of the project down to the tree.

        Args:
          top: the folder that the user named; it is not left alone, whatever git says of it.
          settings: the user's patterns.
        """
        self._settings = settings
        self._top = Path(os.path.realpath(top))
        self._rules: dict[Path, pathspec.GitIgnoreSpec] = {}
        self._outer = list(_between(settings.root, self._top))
        if any(self._ignored_by(folder, self._top, True) for folder in self._outer):
            self._outer = []

    def reason(self, path: str, is_folder: bool) -> str | None:
        """Why an entry is left alone; None if it is not.

        Args:
          path: the entry, below the tree.
          is_folder: whether it is a folder.
        """
        name = os.path.basename(path)
        if is_folder and (name.startswith(".") or name == "__pycache__"):
            return HIDDEN
        real = Path(os.path.realpath(os.path.dirname(path)), name)
        seen = self._seen(real, is_folder)
        for key, pattern in (
            ("exclude", self._settings.exclude),
            ("extend-exclude", self._settings.extend),
            ("force-exclude", self._settings.force),
        ):
            if pattern is not None and pattern.search(seen):
                return key
        return None if self._settings.exclude is not None else self._by_default(real, is_folder)

    def _seen(self, path: Path, is_folder: bool) -> str:
        """The path as patterns see it: from the root, with slashes, one at the end of a folder."""
        return seen_from(self._settings.root, path) + "/" * is_folder

    def _by_default(self, path: Path, is_folder: bool) -> str | None:
        if is_folder and any(os.path.exists(path / mark) for mark in _ENVIRONMENT_MARKS):
            return "a virtual environment"
        if is_folder and path.name in BUILT:
            return "a build folder"
        inner = [folder for folder in path.parents if folder.is_relative_to(self._top)]
        for folder in (*inner, *reversed(self._outer)):
            ignored = self._ignored_by(folder, path, is_folder)
            if ignored is not None:
                return "ignored by git" if ignored else None
        return None

    def _ignored_by(self, folder: Path, path: Path, is_folder: bool) -> bool | None:
        """What the rules of one folder say of an entry below it; None if nothing."""
        if folder not in self._rules:
            self._rules[folder] = _rules_of(folder)
        relative = path.relative_to(folder).as_posix() + "/" * is_folder
        return self._rules[folder].check_file(relative).include


def is_forced_out(path: str, settings: Settings) -> bool:
    """Return whether a file that the user named is left alone because of `--force-exclude`."""
    if settings.force is None:
        return False
    return settings.force.search(seen_from(settings.root, Path(os.path.realpath(path)))) is not None


def seen_from(root: Path, path: Path) -> str:
    """Return a path with slashes from a folder, starting with one.

    >>> seen_from(Path("/home/me/project"), Path("/home/me/project/src/a.py"))
    '/src/a.py'
    """
    inside = path.is_relative_to(root)
    return f"/{path.relative_to(root).as_posix()}" if inside else path.as_posix()


def _between(root: Path, top: Path) -> Iterator[Path]:
    """Yield the folders from the root to the one above the tree."""
    for folder in reversed(top.parents):
        if folder.is_relative_to(root):
            yield folder


def _rules_of(folder: Path) -> pathspec.GitIgnoreSpec:
    lines: list[str] = []
    for file in (folder / ".git" / "info" / "exclude", folder / _RULES):
        try:
            lines += file.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
        except OSError:
            continue  # no rules here
    return pathspec.GitIgnoreSpec.from_lines(filter(_is_rule, lines))


def _is_rule(line: str) -> bool:
    """Return whether a line is a valid pattern; git ignores invalid ones."""
    try:
        pathspec.GitIgnoreSpec.from_lines([line])
    except (ValueError, re.error):
        return False
    return True
