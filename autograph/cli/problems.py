"""Errors as the command line shows them: place, cause, line, caret, remedy."""

from __future__ import annotations

import unicodedata
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Problem:
    """Something that keeps a file from being converted.

    Args:
      path: the file, as the user named it.
      message: what is wrong.
      remedy: what to do about it.
      line: 1 for the first; None where the file as a whole is meant.
      col: 1 for the first character.
      end_col: the column after the last character; None: one character.
      source_line: the text of the line.
    """

    path: str
    message: str
    remedy: str
    line: int | None = None
    col: int | None = None
    end_col: int | None = None
    source_line: str | None = None

    def __str__(self) -> str:
        """Return the error in full.

        >>> print(Problem("a.py", "invalid syntax", "Correct it.", 2, 5, 7, "x = :="))
        a.py:2:5: invalid syntax
            2 | x = :=
              |     ^^
            Correct it.
        """
        place = self.path if self.line is None else f"{self.path}:{self.line}:{self.col or 1}"
        lines = [f"{place}: {self.message}", *self._excerpt(), f"    {self.remedy}"]
        return "\n".join(lines)

    def as_dict(self) -> dict[str, object]:
        """Return the error as JSON data."""
        return asdict(self)

    def _excerpt(self) -> list[str]:
        if self.line is None or self.source_line is None:
            return []
        start = (self.col or 1) - 1
        end = max(start + 1, (self.end_col or 0) - 1)
        before = _blank(self.source_line[:start])
        carets = "^" * max(1, len(_blank(self.source_line[start:end])))
        gutter = " " * len(str(self.line))
        return [f"    {self.line} | {self.source_line}", f"    {gutter} | {before}{carets}"]


def _blank(text: str) -> str:
    """White space as wide as the text is in a terminal.

    >>> _blank("a\\tb"), _blank("漢")
    (' \\t ', '  ')
    """
    return "".join(
        "\t" if char == "\t" else " " * (1 + (unicodedata.east_asian_width(char) in "WF"))
        for char in text
        if not unicodedata.combining(char)
    )
