"""Kernels as people write them for numba, beside plain NumPy; with peers beside numba and JAX."""

from __future__ import annotations

import importlib.util
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
COMPILERS = ("numba", "jax")
NUMBA = ("numba==0.68.1", "numpy", "scipy")


def run(session: Session) -> Iterator[Figure]:
    with ExitStack() as stack:
        beside = {peer.library: peer for peer in session.peers if peer.library in COMPILERS}
        if session.peers and "numba" not in beside:
            beside["numba"] = stack.enter_context(Peer(environment(NUMBA), "numba", ROOT))
        for name in KERNELS:
            yield from figures(name, beside)


def figures(name: str, beside: dict[str, Peer]) -> Iterator[Figure]:
    """The figures of one kernel: beside plain NumPy, and beside each peer that compiles it."""
    plain = each(kernel_programs.make(name, np)[0])
    engines = {name: kernel_programs.make(name, runtime)}
    if importlib.util.find_spec("llvmlite"):
        engines[f"{name}, native"] = kernel_programs.make(name, runtime, jit_compile=True)
    for label, (call, _) in engines.items():
        ours = each(call)
        yield paired(label, ours, "numpy", plain, repeats=REPEATS)
        for library, peer in beside.items():
            if compiles(library, name):
                other = theirs(peer, kernel_programs.__file__, name)
                yield paired(label, ours, library, other, repeats=REPEATS)


def compiles(library: str, name: str) -> bool:
    """Return whether a peer compiles a kernel as it is written."""
    if library == "jax":
        return name in kernel_programs.NATURAL_IN_JAX
    return name not in kernel_programs.REFUSED_BY_NUMBA
