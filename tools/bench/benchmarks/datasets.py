"""Pipelines of a million elements, beside the same pipelines in TensorFlow."""

from collections.abc import Callable, Iterator
from typing import Any

import runtime
from tools.bench import data_programs
from tools.bench.measure import Figure, Goal, alone, once, paired
from tools.bench.peers import Peer
from tools.bench.session import Session

REPEATS = 3


def run(session: Session) -> Iterator[Figure]:
    beside = [peer for peer in session.peers if peer.library == "tensorflow"]
    for make in data_programs.PROGRAMS:
        function, arguments = make(runtime)
        ours = once(lambda call=function, given=arguments: call(*given))  # type: ignore[misc]
        if not beside:
            yield alone(make.__name__, ours, repeats=REPEATS)
        for peer in beside:
            yield paired(
                make.__name__,
                ours,
                "tensorflow",
                theirs(peer, make),
                repeats=REPEATS,
                goal=Goal(1.0),
            )


def theirs(peer: Peer, make: Callable[[Any], Any]) -> Callable[[], float]:
    """Seconds of one loop in the peer's process."""
    path = data_programs.__file__
    return lambda: peer.ask("graph", path=path, name=make.__name__, number=1)
