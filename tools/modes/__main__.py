"""Count programs that agree with plain Python, are refused, are wrong, or fail inside.

    python -m tools.modes {jax,torch} [--mode NAME ...] [--programs MODULE ...] [--only NAME ...]

Each program of the tests of a library runs in each mode; `--programs` names other modules that have
a list `PROGRAMS`. The exit status is 1 if one is wrong or internal.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

from tools.modes.verdicts import OUTCOMES, Verdict

LIBRARIES = {"jax": "tools.modes.with_jax", "torch": "tools.modes.with_torch"}


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(
        prog="python -m tools.modes", description=(__doc__ or "").partition("\n")[0]
    )
    add = result.add_argument
    add("library", choices=LIBRARIES)
    add("--mode", action="append", default=[], help="only this mode")
    add("--programs", action="append", default=[], metavar="MODULE", help="these programs instead")
    add("--only", action="append", default=[], metavar="NAME", help="only this program")
    add("--quiet", action="store_true", help="no reasons of refusals")
    return result


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    library = importlib.import_module(LIBRARIES[options.library])
    modules = [importlib.import_module(name) for name in options.programs or library.MODULES]
    programs = [
        (name, each)
        for module in modules
        for each in module.PROGRAMS
        if (name := name_of(each)) in (options.only or [name])
    ]
    counts: dict[str, Counter[str]] = {}
    for mode in options.mode or library.MODES:
        counts[mode] = Counter()
        for name, program in programs:
            verdict: Verdict | None = library.MODES[mode](program)
            if verdict is None:  # without a gradient
                continue
            counts[mode][verdict.outcome] += 1
            bad = verdict.outcome in ("wrong", "internal")
            if bad or (verdict.outcome == "refused" and not options.quiet):
                print(f"{mode} {name}: {verdict.outcome}: {verdict.reason}", flush=True)
        print(f"{mode}: {dict(counts[mode])}", file=sys.stderr, flush=True)
    print(table(counts))
    return int(any(found["wrong"] or found["internal"] for found in counts.values()))


def name_of(program: Any) -> str:
    """Return the name of a program: its own, or that of its function."""
    return str(getattr(program, "name", None) or program.function.__name__)


def table(counts: dict[str, Counter[str]]) -> str:
    """Return the counts by mode.

    >>> print(table({"jit": Counter(agreed=3, refused=1)}))
    mode     tried   agreed  refused    wrong internal
    jit          4        3        1        0        0
    """
    width = max(map(len, (*counts, "mode")))
    lines = [f"{'mode':{width}}" + "".join(f"{name:>9}" for name in ("tried", *OUTCOMES))]
    for mode, found in counts.items():
        numbers = (found.total(), *(found[outcome] for outcome in OUTCOMES))
        lines.append(f"{mode:{width}}" + "".join(f"{number:9}" for number in numbers))
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
