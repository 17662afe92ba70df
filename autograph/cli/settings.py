"""`[tool.autograph]` of pyproject.toml, and the command line over it."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograph.cli.problems import Problem
from autograph.cli.sources import STANDARD_INPUT

KEYS = ("exclude", "extend-exclude", "force-exclude")
_FILE = "pyproject.toml"


class SettingsError(Exception):
    """Raised where a setting cannot be used; `problem` says why."""

    def __init__(self, problem: Problem) -> None:
        """Store what is to be shown."""
        super().__init__(str(problem))
        self.problem = problem


@dataclass(frozen=True)
class Settings:
    """Which files to leave alone.

    Args:
      root: the folder of the project; patterns see paths from there.
      exclude: replaces the folders left out by default, and the rules of git; None: those hold.
      extend: left out in addition.
      force: left out even if named on the command line.
    """

    root: Path
    exclude: re.Pattern[str] | None = None
    extend: re.Pattern[str] | None = None
    force: re.Pattern[str] | None = None


def settings_for(paths: Sequence[str], given: Mapping[str, str | None]) -> Settings:
    """Read the settings of a run.

    Args:
      paths: the files and folders of the command line.
      given: the patterns of the command line by key; None for one that was not given.
    Raises: SettingsError if pyproject.toml cannot be read, has an unknown key, or a pattern is
      no regular expression.
    """
    root = _root([path for path in paths if path != STANDARD_INPUT])
    file = root / _FILE
    texts = _table(file) | {key: text for key, text in given.items() if text is not None}
    patterns = [_pattern(key, texts.get(key), given.get(key), file) for key in KEYS]
    return Settings(root, *patterns)


def _root(paths: Sequence[str]) -> Path:
    """The nearest folder around all paths that git or a table for autograph marks as a project."""
    common = os.path.commonpath([os.path.realpath(path) for path in paths or ["."]])
    start = Path(common) if os.path.isdir(common) else Path(common).parent
    for folder in (start, *start.parents):
        marked = any(os.path.exists(folder / name) for name in (".git", ".hg"))
        if marked or "autograph" in _tools(folder / _FILE):
            return folder
    return start


def _tools(file: Path) -> Mapping[str, Any]:
    if not os.path.isfile(file):
        return {}
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8")).get("tool", {})
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        remedy = "Correct the file; settings for autograph could be in it."
        raise SettingsError(Problem(str(file), f"cannot be read: {error}", remedy)) from error
    return found if isinstance(found, dict) else {}


def _table(file: Path) -> dict[str, str]:
    table = _tools(file).get("autograph", {})
    if not isinstance(table, dict):
        raise SettingsError(Problem(str(file), "tool.autograph is no table", _known_keys()))
    for key, value in table.items():
        if key not in KEYS:
            message = f"there is no setting tool.autograph.{key}"
            raise SettingsError(Problem(str(file), message, _known_keys()))
        if not isinstance(value, str):
            message = f"tool.autograph.{key} is {value!r}"
            raise SettingsError(Problem(str(file), message, "Give a string: a regular expression."))
    return dict(table)


def _known_keys() -> str:
    return f"Its keys are {', '.join(KEYS)}."


def _pattern(key: str, text: str | None, given: str | None, file: Path) -> re.Pattern[str] | None:
    if text is None:
        return None
    try:
        return re.compile(text, re.VERBOSE if "\n" in text else 0)
    except re.error as error:
        where = str(file) if given is None else f"--{key}"
        message = f"{text!r} is no regular expression: {error}"
        raise SettingsError(Problem(where, message, "Correct the pattern.")) from error
