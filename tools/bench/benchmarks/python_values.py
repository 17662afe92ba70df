"""Converted code on Python values against the plain code; the peers' converted code likewise."""

from collections.abc import Callable, Iterator
from typing import Any

import autograph
from tools.bench import runnable
from tools.bench.measure import Figure, Goal, each, paired
from tools.bench.peers import Peer
from tools.bench.session import Session

CALLS: tuple[tuple[Callable[..., Any], list[Any]], ...] = (
    (runnable.loop, [2000]),
    (runnable.fib, [12]),
)


def run(session: Session) -> Iterator[Figure]:
    for function, arguments in CALLS:
        yield ours(function, arguments)
        for peer in session.converters:
            yield theirs(peer, function, arguments)


def ours(function: Callable[..., Any], arguments: list[Any]) -> Figure:
    """What `to_graph` returns against the function that it was given."""
    graph = autograph.to_graph(function)
    return paired(
        f"{function.__name__}({arguments[0]})",
        each(lambda: graph(*arguments)),
        "plain",
        each(lambda: function(*arguments)),
        repeats=15,
        goal=Goal(15.0),
    )


def theirs(peer: Peer, function: Callable[..., Any], arguments: list[Any]) -> Figure:
    """The same in the peer's process, as far as its slowness allows."""
    call = {"path": runnable.__file__, "name": function.__name__, "arguments": arguments}
    return paired(
        f"{function.__name__}({arguments[0]}) by {peer.library}",
        lambda: peer.ask("to_graph", number=1, **call),
        "plain",
        lambda: peer.ask("plain", number=20, **call),
        repeats=5,
    )
