"""Conversion of one chain of 300 `elif` arms, beside merely parsing it."""

from collections.abc import Iterator

from tools.bench.benchmarks.conversion_straight import converting, parsing
from tools.bench.measure import Figure, Goal, paired
from tools.bench.programs import elif_chain
from tools.bench.session import Session

ARMS = 300


def run(session: Session) -> Iterator[Figure]:
    yield paired(
        f"elif chain of {ARMS}",
        lambda: converting(elif_chain(ARMS)),
        "libcst.parse_module",
        lambda: parsing(elif_chain(ARMS)),
        goal=Goal(2.0, "seconds"),
    )
