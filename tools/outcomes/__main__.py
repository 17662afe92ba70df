"""Count programs that agree with plain Python, are refused, or are wrong.

    python -m tools.outcomes [--item NAME ...] [--random N] [--plain N] [--jobs 2] [--report FILE]
    python -m tools.outcomes --feature all --random N [--plain N] [--numpy N]

Runs the corpus of `tests/outcomes/corpus`, or N random programs (of each feature that is named),
staged and in plain Python. Each program is called in plain Python with numbers and in each staged
form with tensors, or with NumPy's scalars and arrays in both; results, the state left behind and
the printed text are compared. The exit status is 1 if a program is wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tools.outcomes import feature_programs, report
from tools.outcomes.feature_programs import feature_names
from tools.outcomes.programs import Program, corpus
from tools.outcomes.random_programs import generate
from tools.outcomes.shrinking import shrink
from tools.outcomes.trial import Verdict
from tools.outcomes.workers import LIMIT, Worker, judge_all


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(
        prog="python -m tools.outcomes", description=(__doc__ or "").partition("\n")[0]
    )
    add = result.add_argument
    add("--item", action="append", default=[], metavar="NAME", help="only this file of the corpus")
    add("--random", type=int, default=0, metavar="N", help="N random programs, staged")
    add("--plain", type=int, default=0, metavar="N", help="N random programs on plain values")
    add("--numpy", type=int, default=0, metavar="N", help="N random programs on NumPy's values")
    add("--feature", action="append", default=[], metavar="NAME",
        help="random programs about this feature of Python; all: about each")  # fmt: skip
    add("--seed", type=int, default=0, help="seed of the first random program")
    add("--shrink", type=int, default=0, metavar="N", help="shrink at most N wrong programs")
    add("--jobs", type=int, default=2, help="child processes (default: 2)")
    add("--limit", type=float, default=LIMIT, help="seconds of processor time for a program")
    add("--report", type=Path, metavar="FILE", help="write wrong programs and refusals to a file")
    add("--wrong", type=Path, metavar="FILE", help="write the names of wrong programs to a file")
    return result


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    try:
        programs = list(_programs(options))
    except KeyError as error:
        print(f"no file of the corpus, and no feature, is called {error}", file=sys.stderr)
        return 2
    judged: report.Judged = judge_all(programs, _progress, forms, options.jobs, options.limit)
    print(file=sys.stderr)
    print(report.table(judged))
    if options.shrink:
        judged = _shrunk(judged, options.shrink)
    if options.report:
        options.report.write_text(report.details(judged), encoding="utf-8")
    wrong = sorted(program.key for program, verdict in judged if verdict.outcome == "wrong")
    if options.wrong:
        options.wrong.write_text("".join(f"{key}\n" for key in wrong), encoding="utf-8")
    return 1 if wrong else 0


def _programs(options: argparse.Namespace) -> Iterator[Program]:
    """Random programs if a number of them is given, else the corpus."""
    for item in ("random", "plain", "numpy"):
        for seed in range(options.seed, options.seed + getattr(options, item)):
            if not options.feature:
                yield generate(seed, item)
            for name in feature_names() if "all" in options.feature else options.feature:
                yield feature_programs.generate(seed, name, item)
    if options.item or not (options.random or options.plain or options.numpy):
        yield from corpus(options.item)


def forms(program: Program) -> Sequence[str]:
    """Return the forms of a program: a random one is staged in one way, by its seed."""
    kind = program.item.partition(":")[0]
    if kind == "plain":
        return ["converted"]
    if kind == "numpy":
        return ["numpy"]
    if kind == "random":
        return ["to_graph" if program.name.endswith(tuple("13579")) else "function"]
    return ()


def _shrunk(judged: report.Judged, most: int) -> report.Judged:
    """Replace the first wrong programs by smaller ones that are wrong in the same way."""
    worker = Worker()
    found = []
    for program, verdict in judged:
        if verdict.outcome == "wrong" and most > 0:
            most -= 1
            found.append(shrink(program, verdict, worker))
        else:
            found.append((program, verdict))
    worker.stop()
    return found


def _progress(program: Program, verdict: Verdict) -> None:
    print({"agreed": ".", "refused": "r", "wrong": "W"}[verdict.outcome], end="", file=sys.stderr)
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
