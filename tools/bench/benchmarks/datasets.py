"""Pipelines of data, beside the same pipelines in TensorFlow."""

from collections.abc import Callable, Iterator
from typing import Any

import runtime
from tools.bench import data_programs
from tools.bench.measure import Figure, Goal, alone, once, paired
from tools.bench.peers import Peer
from tools.bench.session import Session

REPEATS = 3
GOALS = {"map_shuffle_batch": Goal(1.0), "load_saved": Goal(1.0)}
"""Parsing of messages has none: it is done by the protobuf package, message by message."""


def run(session: Session) -> Iterator[Figure]:
    beside = [peer for peer in session.peers if peer.library == "tensorflow"]
    for make in data_programs.PROGRAMS:
        function, arguments = make(runtime)
        ours = once(lambda call=function, given=arguments: call(*given))  # type: ignore[misc]
        if not beside:
            yield alone(make.__name__, ours, repeats=REPEATS)
        for peer in beside:
            goal = GOALS.get(make.__name__)
            other = theirs(peer, make)
            yield paired(make.__name__, ours, peer.library, other, repeats=REPEATS, goal=goal)


def theirs(peer: Peer, make: Callable[[Any], Any]) -> Callable[[], float]:
    """Seconds of one loop in the peer's process."""
    path = data_programs.__file__
    return lambda: peer.ask("graph", path=path, name=make.__name__, number=1)
