"""`import autograph` in a new process."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tools.bench.measure import Figure, Goal, alone, paired
from tools.bench.session import Session

STATEMENTS = {"tensorflow": "import tensorflow", "malt": "import malt"}


def run(session: Session) -> Iterator[Figure]:
    def ours() -> float:
        return importing(sys.executable, "import autograph")

    yield alone("import autograph", ours, repeats=15, goal=Goal(0.25, "seconds"))
    for peer in session.converters:
        yield paired(
            "import autograph",
            ours,
            peer.library,
            lambda peer=peer: importing(peer.python, STATEMENTS[peer.library]),  # type: ignore[misc]
            repeats=3,
        )


def importing(python: str | Path, statement: str) -> float:
    """Seconds that a statement takes in a new process, without the start of that process."""
    program = (
        "from time import perf_counter as clock; start = clock(); "
        f"{statement}; print(clock() - start)"
    )
    answer = subprocess.run([python, "-c", program], capture_output=True, text=True, check=True)
    return float(answer.stdout.splitlines()[-1])
