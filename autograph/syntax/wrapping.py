"""Wrap long lines inside brackets, where a line break has no meaning."""

from __future__ import annotations

import io
import itertools
import re
import tokenize
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from autograph.conversion_result import Span

Moved = Callable[[Span], Span]

_Bisection = Callable[[list[int], int], int]


class _Place(NamedTuple):
    """A possible line break: the end of the piece before, the start of the next, bracket depth."""

    end: int
    next: int
    depth: int


def wrapped(text: str, width: int, known: set[str]) -> tuple[str, Moved | None]:
    """Return the text with long lines wrapped, and a map of moved positions.

    Args:
      text: valid Python.
      width: maximum line length.
      known: lines of the original, which are kept.

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
    edits = _breaks(text, lines, long, width)
    if not edits:
        return text, None
    return _broken(lines, edits), _mover(edits)


def _breaks(
    text: str, lines: list[str], long: set[int], width: int
) -> dict[int, list[tuple[int, int, str]]]:
    """Return the cuts of each long line: end column of a piece, start of the next, indentation."""
    places: dict[int, list[_Place]] = {}
    outside: dict[int, int] = {}  # the depth of brackets at the start of a line
    movable = set(long)
    depth = in_string = 0
    fresh = True
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        first, last = token.start[0], token.end[0]
        name = tokenize.tok_name[token.type]
        if last > first:
            movable.difference_update(range(first + 1, last + 1))
        if token.type in _BETWEEN:
            fresh = fresh or token.type == tokenize.NEWLINE
            continue
        if fresh:
            movable.discard(first)
            fresh = False
        in_string += name.endswith("STRING_START") - name.endswith("STRING_END")
        outside.setdefault(first, depth)
        if token.type != tokenize.OP or in_string:
            continue
        opens = token.string in "([{"
        depth += opens - (token.string in ")]}")
        if first in long and depth > 0 and (opens or token.string == ","):
            _add_place(places.setdefault(first, []), lines[first - 1], token.end[1], depth)
    edits = {}
    for number in long:
        found = places.get(number, [])
        edit = _edit(lines[number - 1], found, width, number in movable, outside.get(number, 0))
        if edit:
            edits[number] = edit
    return edits


_BETWEEN = (
    tokenize.NEWLINE,
    tokenize.NL,
    tokenize.COMMENT,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
)


def _add_place(places: list[_Place], line: str, column: int, depth: int) -> None:
    rest = line[column:]
    if rest.strip() and rest.strip()[0] not in "#)]}":
        blank = len(rest) - len(rest.lstrip(" "))
        places.append(_Place(column, column + blank, depth))


def _edit(
    line: str, places: list[_Place], width: int, movable: bool, outside: int
) -> list[tuple[int, int, str]]:
    """Dedent a continuation line if that suffices; otherwise wrap it."""
    content = line.rstrip("\r")
    lead = len(content) - len(content.lstrip(" "))
    fitting = width - (len(content) - lead)
    if movable and fitting >= 0:
        return [(0, lead, " " * min(lead, fitting))]
    chosen = _chosen(content, places, width, outside)
    return [(place.end, place.next, indent) for place, indent in chosen]


def _chosen(line: str, places: list[_Place], width: int, outside: int) -> list[tuple[_Place, str]]:
    """Choose the latest breaks that fit, at the outermost bracket among good ones.

    After a break in a bracket that an earlier line opens, the indentation stays.
    """
    lead = len(line) - len(line.lstrip(" "))

    def indent_of(place: _Place) -> str:
        return " " * (lead + 4 if place.depth > outside else lead)

    chosen: list[tuple[_Place, str]] = []
    nexts = [place.next for place in places]
    for place in _between_arms(line, places):
        _add_fitting(chosen, place.end, places, nexts, width, indent_of)
        chosen.append((place, indent_of(place)))
    _add_fitting(chosen, len(line), places, nexts, width, indent_of)
    return chosen


_CHAIN = re.compile(r"\s*(return )?ag__\d?\.if_chain\(\(")


def _between_arms(line: str, places: list[_Place]) -> list[_Place]:
    """Return the start of each further arm of an `elif` chain."""
    head = _CHAIN.match(line)
    if head is None:
        return []
    found = []
    for place in places:
        if place.end > head.end() and place.depth == 1:
            break
        if place.end > head.end() and place.depth == 2:
            found.append(place)
    return found


def _add_fitting(
    chosen: list[tuple[_Place, str]],
    end: int,
    places: list[_Place],
    nexts: list[int],
    width: int,
    indent_of: Callable[[_Place], str],
) -> None:
    """Append the breaks of a line up to `end`."""
    start, offset = (chosen[-1][0].next, len(indent_of(chosen[-1][0]))) if chosen else (0, 0)
    while end - start + offset > width:
        limit = start + width - offset
        left = range(bisect_right(nexts, start), bisect_left(nexts, end))
        if not left:
            if chosen:
                _dedent(chosen, width - (end - start))
            break
        rest = map(places.__getitem__, left)
        fitting = list(itertools.takewhile(partial(_ends_by, limit), rest)) or [places[left[0]]]
        # A piece shorter than a third of the line reads badly.
        good = [place for place in fitting if place.end - start > (width - offset) // 3] or fitting
        shallow = min(place.depth for place in good)
        last = max(place for place in good if place.depth == shallow)
        if chosen:
            _dedent(chosen, width - (last.end - start))
        chosen.append((last, indent_of(last)))
        start, offset = last.next, len(chosen[-1][1])


def _ends_by(limit: int, place: _Place) -> bool:
    return place.end <= limit


def _dedent(chosen: list[tuple[_Place, str]], fitting: int) -> None:
    """Shorten the indentation after the last break to fit."""
    place, indent = chosen[-1]
    chosen[-1] = (place, indent[: max(fitting, 0)])


def _broken(lines: list[str], edits: dict[int, list[tuple[int, int, str]]]) -> str:
    found = list(lines)
    for number, cuts in edits.items():
        line = lines[number - 1]
        ending = "\r\n" if line.endswith("\r") else "\n"
        pieces = []
        start, indent = 0, ""
        for end, following, next_indent in cuts:
            if end:
                pieces.append(indent + line[start:end])
            start, indent = following, next_indent
        pieces.append(indent + line[start:])
        found[number - 1] = ending.join(pieces)
    return "\n".join(found)


def _mover(edits: dict[int, list[tuple[int, int, str]]]) -> Moved:
    numbers = sorted(edits)
    added = [0]
    for number in numbers:
        added.append(added[-1] + sum(1 for end, _, _ in edits[number] if end))
    ends = {number: [end for end, _, _ in cuts] for number, cuts in edits.items()}

    def place(line: int, column: int, count_of: _Bisection) -> tuple[int, int]:
        down = line + added[bisect_right(numbers, line - 1)]
        if line not in edits:
            return down, column
        # A dedented line has one cut, at its start.
        moves = not ends[line][0]
        count = 1 if moves else count_of(ends[line], column)
        if not count:
            return down, column
        _, following, indent = edits[line][count - 1]
        return down + (0 if moves else count), max(column + len(indent) - following, 0)

    def moved(span: Span) -> Span:
        # What begins at a break is after it; what ends there is before it.
        begins = bisect_right if span[:2] < span[2:] else bisect_left
        return (*place(span[0], span[1], begins), *place(span[2], span[3], bisect_left))

    return moved
