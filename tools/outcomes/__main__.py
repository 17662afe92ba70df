"""Count programs that agree with plain Python, are refused, or are wrong.

    python -m tools.outcomes [--item NAME ...] [--jobs 2] [--report FILE]

Runs the corpus of `tests/outcomes/corpus`. Each program is called in plain Python with numbers and
in each staged form with tensors; results, the state left behind and the printed text are compared.
The exit status is 1 if a program is wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tools.outcomes import report
from tools.outcomes.programs import Program, corpus
from tools.outcomes.trial import FORMS, Verdict
from tools.outcomes.workers import LIMIT, judge_all


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(
        prog="python -m tools.outcomes", description=(__doc__ or "").partition("\n")[0]
    )
    add = result.add_argument
    add("--item", action="append", default=[], metavar="NAME", help="only this file of the corpus")
    add("--form", action="append", default=[], choices=list(FORMS), help="only this staged form")
    add("--jobs", type=int, default=2, help="child processes (default: 2)")
    add("--limit", type=float, default=LIMIT, help="seconds a program may take")
    add("--report", type=Path, metavar="FILE", help="write wrong programs and refusals to a file")
    add("--wrong", type=Path, metavar="FILE", help="write the names of wrong programs to a file")
    return result


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    try:
        programs = corpus(options.item)
    except KeyError as error:
        print(f"no file of the corpus is called {error}", file=sys.stderr)
        return 2
    judged = judge_all(programs, _progress, options.jobs, options.limit, options.form)
    print(file=sys.stderr)
    print(report.table(judged))
    if options.report:
        options.report.write_text(report.details(judged), encoding="utf-8")
    wrong = sorted(program.key for program, verdict in judged if verdict.outcome == "wrong")
    if options.wrong:
        options.wrong.write_text("".join(f"{key}\n" for key in wrong), encoding="utf-8")
    return 1 if wrong else 0


def _progress(program: Program, verdict: Verdict) -> None:
    print({"agreed": ".", "refused": "r", "wrong": "W"}[verdict.outcome], end="", file=sys.stderr)
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
