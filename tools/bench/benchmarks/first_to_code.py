"""The first `to_code` of a function of twenty lines, beside the peers' first `to_code` of it."""

from collections.abc import Iterator

from autograph import to_code
from tools.bench.measure import Figure, Goal, alone, once, paired
from tools.bench.peers import Peer
from tools.bench.programs import copies, load
from tools.bench.session import Session

REPEATS = 15
WARM_UP = 2


def run(session: Session) -> Iterator[Figure]:
    if not session.converters:
        path, names = copies(REPEATS + WARM_UP, session.directory)
        functions = load(path)
        fresh = iter(names)
        for _ in range(WARM_UP):
            to_code(functions[next(fresh)])
        yield alone("first to_code", lambda: ours(functions[next(fresh)]), repeats=REPEATS)
    for peer in session.converters:
        yield beside(peer, session)


def ours(function: object) -> float:
    """Seconds for the code of one function."""
    return once(lambda: to_code(function))()


def beside(peer: Peer, session: Session) -> Figure:
    """Ours and the peer's in turn, each on functions that it never saw; both warmed up."""
    path, names = copies(REPEATS + WARM_UP, session.directory)
    functions = load(path)
    our_names, their_names = iter(names), iter(names)

    def theirs() -> float:
        return peer.ask("to_code", path=str(path), name=next(their_names))

    for _ in range(WARM_UP):
        ours(functions[next(our_names)])
        theirs()
    return paired(
        "first to_code",
        lambda: ours(functions[next(our_names)]),
        peer.library,
        theirs,
        repeats=REPEATS,
        goal=Goal(1 / 5) if peer.library == "tensorflow" else None,
    )
