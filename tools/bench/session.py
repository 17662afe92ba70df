"""What one run of the benchmarks shares: a directory for generated files, and the peers."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.bench.peers import LIBRARIES, Peer, environment

ROOT = Path(__file__).parents[2]
"""The programs of the benchmarks import each other from here."""


@dataclass(frozen=True)
class Session:
    """A directory that is removed afterwards, and the peers that run (none unless asked for)."""

    directory: Path
    peers: Sequence[Peer] = ()


@contextmanager
def open_session(*, with_peers: bool, given: Mapping[str, Path] | None = None) -> Iterator[Session]:
    """A session; the peers' environment is set up first where it is asked for.

    Args:
      with_peers: whether to measure the libraries of `LIBRARIES`.
      given: the interpreters of further libraries, or of these, by the name of the library.
    """
    with ExitStack() as stack:
        directory = Path(stack.enter_context(TemporaryDirectory()))
        found = dict(given or {})
        for library in LIBRARIES if with_peers else ():
            found[library] = found.get(library) or environment()
        peers = [stack.enter_context(Peer(python, name, ROOT)) for name, python in found.items()]
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
