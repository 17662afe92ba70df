"""Conversion of a whole module of 2,000 lines, the standard library's `difflib`."""

import inspect
from collections.abc import Iterator

from tools.bench.benchmarks.conversion_straight import converting, parsing
from tools.bench.measure import Figure, Goal, paired
from tools.bench.programs import fresh_name
from tools.bench.session import Session


def run(session: Session) -> Iterator[Figure]:
    yield paired(
        "difflib",
        lambda: converting(text()),
        "libcst.parse_module",
        lambda: parsing(text()),
        repeats=5,
        goal=Goal(2.0, "seconds"),
    )


def text() -> str:
    """The module's text, made new by a comment at its end."""
    import difflib

    return f"{inspect.getsource(difflib)}\n# {fresh_name()}\n"
