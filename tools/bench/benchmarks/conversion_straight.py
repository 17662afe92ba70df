"""Conversion of a function of 1,000 plain statements, beside merely parsing it."""

from collections.abc import Iterator

import libcst

from autograph import convert_source
from tools.bench.measure import Figure, Goal, once, paired
from tools.bench.programs import straight
from tools.bench.session import Session

STATEMENTS = 1000


def run(session: Session) -> Iterator[Figure]:
    yield paired(
        f"{STATEMENTS} statements",
        lambda: converting(straight(STATEMENTS)),
        "libcst.parse_module",
        lambda: parsing(straight(STATEMENTS)),
        goal=Goal(1.0, "seconds"),
    )


def converting(text: str) -> float:
    """Seconds for converting a text."""
    return once(lambda: convert_source(text))()


def parsing(text: str) -> float:
    """Seconds for parsing a text, which every conversion does."""
    return once(lambda: libcst.parse_module(text))()
