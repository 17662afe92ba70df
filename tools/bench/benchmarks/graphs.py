"""Functions on tensors, beside the same functions in TensorFlow's graph mode."""

from collections.abc import Callable, Iterator
from typing import Any

import runtime
from tools.bench import tensor_programs
from tools.bench.measure import LEAST_SECONDS, Figure, Goal, alone, each, paired
from tools.bench.peers import Peer
from tools.bench.session import Session

REPEATS = 9


def run(session: Session) -> Iterator[Figure]:
    beside = [peer for peer in session.peers if peer.library == "tensorflow"]
    for make in tensor_programs.PROGRAMS:
        function, arguments = make(runtime)
        ours = each(lambda call=function, given=arguments: call(*given))  # type: ignore[misc]
        if not beside:
            yield alone(make.__name__, ours, repeats=REPEATS)
        for peer in beside:
            yield paired(
                make.__name__,
                ours,
                "tensorflow",
                theirs(peer, tensor_programs.__file__, make.__name__),
                repeats=REPEATS,
                goal=Goal(1.0),
            )


def theirs(peer: Peer, path: str, name: str) -> Callable[[], float]:
    """Seconds of one call, in the peer's process, of a program of a file."""
    call: dict[str, Any] = {"path": path, "name": name}
    once = peer.ask("graph", number=3, **call)
    number = max(3, int(LEAST_SECONDS / once))
    return lambda: peer.ask("graph", number=number, **call)
