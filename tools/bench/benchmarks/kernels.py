"""Kernels as people write them for numba, beside plain NumPy; with peers beside numba and JAX."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np

import runtime
from fixtures.kernels import KERNELS
from tools.bench import kernel_programs
from tools.bench.benchmarks.graphs import theirs
from tools.bench.measure import Figure, each, paired
from tools.bench.peers import Peer, environment
from tools.bench.session import Session

REPEATS = 5
ROOT = Path(runtime.__file__).parents[1]
NUMBA = ("numba==0.68.1", "numpy", "scipy")


def run(session: Session) -> Iterator[Figure]:
    with ExitStack() as stack:
        beside: dict[str, Peer] = {}
        if session.peers:
            beside["numba"] = stack.enter_context(Peer(environment(NUMBA), "numba", ROOT))
            if importlib.util.find_spec("jax"):
                beside["jax"] = stack.enter_context(Peer(Path(sys.executable), "jax", ROOT))
        for name in KERNELS:
            yield from figures(name, beside)


def figures(name: str, beside: dict[str, Peer]) -> Iterator[Figure]:
    """The figures of one kernel: beside plain NumPy, and beside each peer that compiles it."""
    ours = each(kernel_programs.make(name, runtime)[0])
    plain = each(kernel_programs.make(name, np)[0])
    yield paired(name, ours, "numpy", plain, repeats=REPEATS)
    for library, peer in beside.items():
        if compiles(library, name):
            other = theirs(peer, kernel_programs.__file__, name)
            yield paired(name, ours, library, other, repeats=REPEATS)


def compiles(library: str, name: str) -> bool:
    """Return whether a peer compiles a kernel as it is written."""
    if library == "jax":
        return name in kernel_programs.NATURAL_IN_JAX
    return name not in kernel_programs.REFUSED_BY_NUMBA
