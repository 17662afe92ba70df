"""What one run of the benchmarks shares: a directory for generated files, and the peers."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.bench.peers import LIBRARIES, Peer, environment

ROOT = Path(__file__).parents[2]
"""The programs of the benchmarks import each other from here."""


@dataclass(frozen=True)
class Session:
    """What the benchmarks of one run share.

    Attributes:
      directory: for generated files; removed afterwards.
      peers: the libraries that run (none unless asked for).
      against, commits: an earlier commit, and the runtime of this checkout and of that commit.
    """

    directory: Path
    peers: Sequence[Peer] = ()
    against: str = ""
    commits: tuple[Peer, Peer] | None = None

    @property
    def converters(self) -> list[Peer]:
        """The peers that convert Python."""
        return [peer for peer in self.peers if peer.library in LIBRARIES]


@contextmanager
def open_session(
    *, with_peers: bool, given: Mapping[str, Path] | None = None, against: str = ""
) -> Iterator[Session]:
    """A session; the peers' environment is set up first where it is asked for.

    Args:
      with_peers: whether to measure the libraries of `LIBRARIES`.
      given: the interpreters of further libraries, or of these, by the name of the library.
      against: a commit of this repository to measure, too; empty: none.

    Raises:
      ValueError: the repository has no such commit.
    """
    with ExitStack() as stack:
        directory = Path(stack.enter_context(TemporaryDirectory()))
        found = dict(given or {})
        for library in LIBRARIES if with_peers else ():
            found[library] = found.get(library) or environment()
        peers = [stack.enter_context(Peer(python, name, ROOT)) for name, python in found.items()]
        commits = None
        if against:
            python, before = Path(sys.executable), checkout(against, directory / "before")
            now, then = (Peer(python, "runtime", folder) for folder in (ROOT, before))
            commits = stack.enter_context(now), stack.enter_context(then)
        yield Session(directory, peers, against, commits)


def checkout(commit: str, folder: Path) -> Path:
    """Write the files of a commit of this repository into a folder."""
    found = subprocess.run(
        ["git", "-C", ROOT, "archive", "--format=zip", commit], capture_output=True
    )
    if found.returncode:
        raise ValueError(f"no commit {commit!r}: {found.stderr.decode().strip()}")
    with zipfile.ZipFile(BytesIO(found.stdout)) as files:
        files.extractall(folder)
    return folder


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
