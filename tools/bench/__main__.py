"""Measure: medians, each with the ratio to a peer that is measured in turn with it.

    python -m tools.bench [NAME ...] [--peers] [--peer LIBRARY=PYTHON ...] [--json FILE] [--check]
    python -m tools.bench --against COMMIT [--check]

With `--peers` TensorFlow and diastatic-malt are installed into an environment of their own, kept
in the user's cache directory, and measured beside ours. `--peer jax=/venv/bin/python` measures a
library of another environment. With `--json` the figures, the machine and the versions are written
to a file, of which `python -m tools.bench.chart` draws a chart. With `--check` the exit status is 1
where a goal is missed.
With `--against` the programs on tensors of this checkout are measured beside those of an earlier
commit; the goal is 1.1 times its time.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import pkgutil
import platform
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import runtime
from tools.bench import benchmarks
from tools.bench.measure import Figure
from tools.bench.session import Session, open_session

COLUMNS = "{:<36} {:>11}  {:<24} {:>11} {:>9}  {:<14} {}"


def names() -> list[str]:
    """The benchmarks that there are."""
    return sorted(module.name for module in pkgutil.iter_modules(benchmarks.__path__))


def figures(name: str, session: Session) -> Iterator[Figure]:
    """The figures of one benchmark, as they come."""
    module = importlib.import_module(f"{benchmarks.__name__}.{name}")
    yield from module.run(session)


def row(figure: Figure) -> str:
    """One figure as a line of the table."""
    goal = figure.goal
    return COLUMNS.format(
        figure.label,
        quantity(figure.seconds, figure.unit),
        figure.peer,
        "" if figure.peer_seconds is None else quantity(figure.peer_seconds, figure.unit),
        "" if figure.ratio is None else f"{figure.ratio:.3g}x",
        "" if goal is None else str(goal),
        "" if goal is None else "met" if goal.met(figure) else "MISSED",
    ).rstrip()


def quantity(value: float, unit: str) -> str:
    """A number of seconds, or of bytes in MB."""
    return duration(value) if unit == "s" else f"{value / 1e6:.3g} MB"


def duration(seconds: float) -> str:
    """Seconds in the unit that suits them."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def measure(chosen: Iterable[str], session: Session) -> list[Figure]:
    """Print the table; return its figures."""
    for name, value in about(session).items():
        print(f"{name}: {value}")
    print(COLUMNS.format("", "median", "peer", "median", "ratio", "goal", ""))
    found = []
    for name in chosen:
        print(name)
        for figure in figures(name, session):
            print("  " + row(figure), flush=True)
            found.append(figure)
    return found


def about(session: Session) -> dict[str, Any]:
    """What the figures depend on: date, machine, its load, versions."""
    import numpy

    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": f"{platform.machine()}, {os.cpu_count()} processors, {platform.system()}",
        "load": getattr(os, "getloadavg", tuple)(),
        "versions": {
            "python": platform.python_version(),
            "numpy": numpy.__version__,
            **{peer.library: peer.version() for peer in session.peers},
        },
    }


def write(path: Path, found: Sequence[Figure], session: Session) -> None:
    """Write figures, in seconds and bytes, with what they depend on."""
    rows = [{**asdict(figure), "goal": str(figure.goal or "")} for figure in found]
    text = json.dumps({**about(session), "figures": rows}, indent=1)
    path.write_text(text + "\n", encoding="utf-8")


def interpreter(text: str) -> tuple[str, Path]:
    """The library and the interpreter of `LIBRARY=PYTHON`."""
    library, _, python = text.partition("=")
    if not python:
        raise argparse.ArgumentTypeError(f"{text!r} is not LIBRARY=PYTHON")
    return library, Path(python)


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(
        prog="python -m tools.bench", description=(__doc__ or "").partition("\n")[0]
    )
    result.add_argument("name", nargs="*", help="only these benchmarks: " + ", ".join(names()))
    result.add_argument("--peers", action="store_true", help="measure other converters too")
    result.add_argument(
        "--peer", type=interpreter, action="append", default=[], metavar="LIBRARY=PYTHON",
        help="measure a library of another environment",
    )  # fmt: skip
    result.add_argument(
        "--against", metavar="COMMIT", default="", help="measure beside an earlier commit"
    )
    result.add_argument("--json", type=Path, help="write the figures to a file")
    result.add_argument("--check", action="store_true", help="exit with 1 where a goal is missed")
    return result


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    unknown = sorted(set(options.name) - set(names()))
    if unknown:
        print(f"no benchmark is called {', '.join(unknown)}", file=sys.stderr)
        return 2
    chosen = options.name or (["commits"] if options.against else names())
    with open_session(
        with_peers=options.peers, given=dict(options.peer), against=options.against
    ) as session:
        found = measure(chosen, session)
        if options.json is not None:
            write(options.json, found, session)
    missed = any(figure.goal is not None and not figure.goal.met(figure) for figure in found)
    return 1 if missed and options.check else 0


if __name__ == "__main__":
    runtime.config.optimizer.set_jit(False)  # rows of the plan stay those of the plan
    sys.exit(main())
