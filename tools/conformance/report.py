"""Results as a table with the failures below it, or as lines of JSON."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from tools.conformance.comparison import Result

HEADER = (
    "python", "subject", "modules", "tests", "passed", "worse", "known", "flaky", "time", "remarks",
)  # fmt: skip
FIRST_LINES, LAST_LINES = 15, 25


def show_json(result: Result) -> None:
    """Print one result, with every field, as a line of JSON."""
    print(json.dumps(dataclasses.asdict(result)), flush=True)


def show_line(result: Result) -> None:
    """Print one result as a line of progress on standard error."""
    print("  ".join(cell for cell in _row(result) if cell), file=sys.stderr, flush=True)


def as_text(results: Sequence[Result]) -> str:
    """The table, known differences, each regression with its text, and one line that sums up."""
    lines = [*table(results), "", *known_differences(results)]
    for result in results:
        lines.extend(failures(result))
    lines.append(summary(results))
    return "\n".join(lines)


def table(results: Iterable[Result]) -> Iterator[str]:
    """One aligned line per result below a header."""
    rows = [HEADER, *(_row(result) for result in results)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADER))]
    for row in rows:
        cells = [
            cell.ljust(width) if column < 2 or column == len(HEADER) - 1 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def _row(result: Result) -> tuple[str, ...]:
    ratio = result.ratio
    return (
        result.python,
        result.subject,
        f"{result.changed}/{result.modules}",
        str(result.tests),
        str(result.passed),
        str(len(result.regressions)),
        str(len(result.known)),
        str(len(result.flaky)),
        "" if ratio is None else f"{ratio:.2f}x",
        _remarks(result),
    )


def _remarks(result: Result) -> str:
    remarks = [result.absent] if result.absent else []
    if result.refused:
        remarks.append("not converted: " + ", ".join(result.refused))
    if result.newer:
        remarks.append("newer syntax than the converting Python's: " + ", ".join(result.newer))
    for kind, trouble in (("plain", result.plain_trouble), ("converted", result.trouble)):
        if trouble:
            remarks.append(f"{kind}: {trouble.splitlines()[0]}")
    return "; ".join(remarks)


def failures(result: Result) -> Iterator[str]:
    """The refusals and regressions of one result; tests that fail with one text stand together."""
    for module, reason in result.refused.items():
        yield f"== {result.python} {result.subject}: {module} was not converted"
        yield reason
        yield ""
    groups: dict[str, list[str]] = {}
    for name, text in result.regressions.items():
        groups.setdefault(text, []).append(name)
    for text, names in groups.items():
        yield f"== {result.python} {result.subject}: {names[0]}" + (
            f" and {len(names) - 1} more" if len(names) > 1 else ""
        )
        yield from _shortened(text.splitlines())
        yield ""


def known_differences(results: Iterable[Result]) -> Iterator[str]:
    """A line for each reason that makes tests of a subject fail, with the number of tests."""
    for result in results:
        for reason, count in Counter(result.known.values()).items():
            yield f"-- {result.python} {result.subject}, {count} of {result.passed}: {reason}"
    if any(result.known for result in results):
        yield ""


def _shortened(lines: list[str]) -> list[str]:
    """Both ends of a long text: exceptions say what happened last, fault handlers first."""
    if len(lines) <= FIRST_LINES + LAST_LINES:
        return lines
    return [*lines[:FIRST_LINES], "    ...", *lines[-LAST_LINES:]]


def summary(results: Sequence[Result]) -> str:
    """How many tests ran on how many subjects, and how many of them the conversion breaks."""
    ran = [result for result in results if not result.absent]
    tests = sum(result.passed for result in ran)
    worse = sum(len(result.regressions) for result in ran)
    known = sum(len(result.known) for result in ran)
    refused = sum(len(result.refused) for result in ran)
    modules = sum(result.changed for result in ran)
    pythons = len({result.python for result in ran})
    return (
        f"{len(ran)} subjects on {pythons} Python(s), {modules} modules converted, {refused} not; "
        f"of {tests} tests that pass unconverted {worse} fail converted, besides {known} that look "
        "at what conversion changes by its nature."
    )
