"""The corpus: small programs in plain files, one file for each item.

A file holds programs in the percent format of notebooks. The heading of a program names it and
gives the argument tuples of its calls:

    # %% write_to_row_of_caller: (3,), (-3,)
    def helper(row, x):
        if x > 0:
            row[1] = 5

    def program(x):
        row = [0, 0]
        helper(row, x)
        return row

Numbers and tuples among the arguments become tensors, and numbers and lists in plain Python;
everything else is passed as it is. A program that defines `between` has it called
after all calls, before the first call is repeated.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

CORPUS = Path(__file__).resolve().parent.parent.parent / "tests" / "outcomes" / "corpus"
HEADING = re.compile(r"^# %% (\w+): (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Program:
    """A module that defines `program`, and the argument tuples to call it with."""

    item: str
    name: str
    text: str
    calls: str  # Python text of the argument tuples, separated by commas

    @property
    def key(self) -> str:
        return f"{self.item}/{self.name}"


def read(path: Path) -> list[Program]:
    """Return the programs of one file, in order.

    Raises ValueError if two programs share a name or text precedes the first heading.
    """
    _, *parts = HEADING.split(path.read_text(encoding="utf-8"))
    names = parts[::3]
    repeated = {name for name in names if names.count(name) > 1}
    if repeated:
        raise ValueError(f"{path.name}: two programs are called {', '.join(sorted(repeated))}")
    return [
        Program(path.stem, name, text.strip("\n") + "\n", calls)
        for name, calls, text in zip(names, parts[1::3], parts[2::3], strict=True)
    ]


def corpus(items: Sequence[str] = (), directory: Path = CORPUS) -> list[Program]:
    """Return the programs of all files, or of the named items."""
    paths = sorted(directory.glob("*.py"))
    missing = set(items) - {path.stem for path in paths}
    if missing:
        raise KeyError(", ".join(sorted(missing)))
    return [program for path in paths if not items or path.stem in items for program in read(path)]
