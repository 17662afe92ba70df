"""The programs of this checkout beside an earlier commit's; only with `--against COMMIT`.

Both run in processes of their own, in turn, with one call and with the first call, which traces.
"""

from collections.abc import Iterator

from tools.bench import tensor_programs
from tools.bench.benchmarks.graphs import theirs
from tools.bench.measure import Figure, Goal, paired
from tools.bench.session import Session

REPEATS = 15
GOAL = Goal(1.1)
"""A commit beside itself had medians between 0.95 and 1.05 on a machine with other work."""


def run(session: Session) -> Iterator[Figure]:
    if session.commits is None:
        return
    now, before = session.commits
    path = tensor_programs.__file__
    for make in tensor_programs.PROGRAMS:
        name = make.__name__
        pair = theirs(now, path, name), theirs(before, path, name)
        yield paired(name, pair[0], session.against, pair[1], repeats=REPEATS, goal=GOAL)
    for make in tensor_programs.PROGRAMS:
        name = make.__name__
        traced = [
            lambda peer=peer, name=name: peer.ask("first_call", path=path, name=name)
            for peer in (now, before)
        ]
        yield paired(
            f"{name}, first call", traced[0], session.against, traced[1], repeats=REPEATS, goal=GOAL
        )
