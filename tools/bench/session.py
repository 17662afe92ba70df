"""What one run of the benchmarks shares: a directory for generated files, and the peers."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.bench.peers import LIBRARIES, Peer, environment


@dataclass(frozen=True)
class Session:
    """A directory that is removed afterwards, and the peers that run (none unless asked for)."""

    directory: Path
    peers: Sequence[Peer] = ()


@contextmanager
def open_session(*, with_peers: bool) -> Iterator[Session]:
    """A session; the peers' environment is set up first where it is asked for."""
    with ExitStack() as stack:
        directory = Path(stack.enter_context(TemporaryDirectory()))
        peers: list[Peer] = []
        if with_peers:
            python = environment()
            peers = [stack.enter_context(Peer(python, library)) for library in LIBRARIES]
        yield Session(directory, peers)


@contextmanager
def frameworks(session: Session) -> Iterator[list[Peer]]:
    """TensorFlow, and JAX and PyTorch if they are installed here; none without peers."""
    with ExitStack() as stack:
        found = [peer for peer in session.peers if peer.library == "tensorflow"]
        if session.peers:
            found += [
                stack.enter_context(Peer(Path(sys.executable), library))
                for library in ("jax", "torch")
                if importlib.util.find_spec(library)
            ]
        yield found
