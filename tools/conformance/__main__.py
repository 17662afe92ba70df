"""Run CPython's own tests on converted modules of its standard library.

    python -m tools.conformance [--python WHICH ...] [--module NAME ...] [--jobs 2] [--json]

Each module's text is converted here and imported in its place by the interpreter that is tested,
on every CPython from 3.11 that has its tests installed. A test counts against the converter if it
passes with the plain text and not with the converted one. The exit status is 1 where one does.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from tools.conformance import report
from tools.conformance.catalogue import SUBJECTS, Subject, select
from tools.conformance.comparison import LIMIT, Result, compare
from tools.conformance.interpreters import Interpreter, discover
from tools.conformance.overlay import Converter, autograph_converter, identity


def run_all(
    interpreters: Sequence[Interpreter],
    subjects: Sequence[Subject],
    convert: Converter,
    jobs: int,
    limit: float,
    show: Callable[[Result], None],
) -> list[Result]:
    """Every subject on every interpreter, `jobs` at a time; `show` gets each result as it comes."""

    def one(pair: tuple[Interpreter, Subject]) -> Result:
        result = compare(*pair, convert, limit)
        show(result)
        return result

    pairs = [(interpreter, subject) for interpreter in interpreters for subject in subjects]
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(one, pairs))


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(
        prog="python -m tools.conformance", description=(__doc__ or "").partition("\n")[0]
    )
    result.add_argument(
        "--python",
        action="append",
        default=[],
        metavar="WHICH",
        help="only this one: a program, or a version such as 3.12 of those that are found",
    )
    result.add_argument(
        "--module", action="append", default=[], metavar="NAME", help="only this subject"
    )
    result.add_argument("--jobs", type=int, default=2, help="children at a time (default: 2)")
    result.add_argument("--limit", type=float, default=LIMIT, help="seconds a test may take")
    result.add_argument("--json", action="store_true", help="print one JSON object for each result")
    result.add_argument(
        "--identity", action="store_true", help="convert nothing: what the harness itself changes"
    )
    result.add_argument("--list", action="store_true", help="print the names of the subjects")
    return result


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    if options.list:
        print("\n".join(subject.name for subject in SUBJECTS))
        return 0
    try:
        subjects = select(options.module)
    except KeyError as error:
        print(f"no subject is called {error}; --list names them", file=sys.stderr)
        return 2
    interpreters = discover(options.python)
    if not interpreters:
        named = " ".join(options.python) or "any name"
        print(f"no CPython from 3.11 with its own tests goes by {named}", file=sys.stderr)
        return 2
    convert = identity if options.identity else autograph_converter
    show = report.show_json if options.json else report.show_line
    results = run_all(interpreters, subjects, convert, options.jobs, options.limit, show)
    if not options.json:
        print(report.as_text(results))
    return 1 if any(result.failed for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
