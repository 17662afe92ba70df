"""Breaks lines that grew too long, inside brackets, where a break changes nothing."""

from __future__ import annotations

import io
import tokenize
from bisect import bisect_right
from collections.abc import Callable
from typing import NamedTuple

from autograph.structure import Span

Moved = Callable[[Span], Span]


class _Place(NamedTuple):
    """Where a line may break: the end of the piece before, the begin of the next, the depth."""

    end: int
    next: int
    depth: int


def wrapped(text: str, width: int, known: set[str]) -> tuple[str, Moved | None]:
    """The text with long lines broken, and where each place went.

    Args:
      text: valid Python.
      width: the columns that a line may have.
      known: lines that stay as they are, because the original had them.

    >>> print(wrapped("value = function(first, second, third)", 30, set())[0])
    value = function(first,
        second, third)
    """
    lines = text.split("\n")
    long = {
        number
        for number, line in enumerate(lines, 1)
        if len(line.rstrip("\r")) > width and line.rstrip("\r") not in known
    }
    if not long:
        return text, None
    breaks = _breaks(text, lines, long, width)
    if not breaks:
        return text, None
    return _broken(lines, breaks), _mover(lines, breaks)


def _breaks(
    text: str, lines: list[str], long: set[int], width: int
) -> dict[int, list[tuple[int, str]]]:
    """For each long line, the columns where it breaks and the indentation that follows."""
    possible: dict[int, list[_Place]] = {}
    depth = 0
    in_string = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        name = tokenize.tok_name[token.type]
        if name.endswith("STRING_START"):
            in_string += 1
        elif name.endswith("STRING_END"):
            in_string -= 1
        if token.type != tokenize.OP or in_string:
            continue
        line = token.start[0]
        opens = token.string in "([{"
        depth += opens - (token.string in ")]}")
        if line in long and depth > 0 and (opens or token.string == ","):
            rest = lines[line - 1][token.end[1] :]
            blank = len(rest) - len(rest.lstrip(" "))
            if rest.strip() and not rest.strip().startswith("#"):
                place = _Place(token.end[1], token.end[1] + blank, depth)
                possible.setdefault(line, []).append(place)
    return {
        line: chosen
        for line, places in possible.items()
        if (chosen := _chosen(lines[line - 1], places, width))
    }


def _chosen(line: str, places: list[_Place], width: int) -> list[tuple[int, str]]:
    """Breaks as late as fits, and at the outermost bracket among those that do well."""
    indent = " " * (len(line) - len(line.lstrip(" ")) + 4)
    chosen: list[tuple[int, str]] = []
    start, offset = 0, 0
    length = len(line.rstrip("\r"))
    while length - start + offset > width:
        limit = start + width - offset
        left = [place for place in places if place.next > start]
        if not left:
            break
        fitting = [place for place in left if place.end <= limit] or left[:1]
        good = [place for place in fitting if place.end - start > (width - offset) // 2] or fitting
        shallow = min(place.depth for place in good)
        start = max(place.next for place in good if place.depth == shallow)
        offset = len(indent)
        chosen.append((start, indent))
    return chosen


def _broken(lines: list[str], breaks: dict[int, list[tuple[int, str]]]) -> str:
    found = list(lines)
    for number, places in breaks.items():
        line = lines[number - 1]
        ending = "\r\n" if line.endswith("\r") else "\n"
        pieces = []
        start, indent = 0, ""
        for column, following in places:
            pieces.append(indent + line[start:column].rstrip(" "))
            start, indent = column, following
        pieces.append(indent + line[start:])
        found[number - 1] = ending.join(pieces)
    return "\n".join(found)


def _mover(lines: list[str], breaks: dict[int, list[tuple[int, str]]]) -> Moved:
    numbers = sorted(breaks)
    added = [0]
    for number in numbers:
        added.append(added[-1] + len(breaks[number]))

    def place(line: int, column: int) -> tuple[int, int]:
        position = bisect_right(numbers, line - 1)
        down = added[position]
        for at, indent in reversed(breaks.get(line, ())):
            if column >= at:
                index = [each for each, _ in breaks[line]].index(at)
                return line + down + index + 1, column - at + len(indent)
        return line + down, column

    def moved(span: Span) -> Span:
        return (*place(span[0], span[1]), *place(span[2], span[3]))

    return moved
