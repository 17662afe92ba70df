"""Plain Python without a tensor: a converted module against the module, construct by construct."""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import autograph
from tools.bench import plain_programs
from tools.bench.measure import Figure, Goal, each, paired
from tools.bench.session import Session

SIZE = 500


def run(session: Session) -> Iterator[Figure]:
    graph = converted()
    for kernel in plain_programs.KERNELS:
        ours: Callable[[int], Any] = getattr(graph, kernel.__name__)
        if ours(SIZE) != kernel(SIZE):
            raise AssertionError(f"{kernel.__name__} gives another answer when it is converted")
        yield paired(
            kernel.__name__,
            each(lambda: ours(SIZE)),  # noqa: B023  # measured within the iteration
            "plain",
            each(lambda: kernel(SIZE)),  # noqa: B023  # measured within the iteration
            repeats=5,
            goal=Goal(20.0),
        )


def converted() -> ModuleType:
    """The module, converted as a whole, as a converted file is."""
    path = Path(plain_programs.__file__)
    module = ModuleType(plain_programs.__name__)
    module.__file__ = str(path)
    code = autograph.convert_source(path.read_text(encoding="utf-8"))
    exec(compile(code, str(path), "exec"), module.__dict__)  # a file of this package
    return module
