"""Workloads of both engines, beside plain NumPy, TensorFlow's graph mode and XLA, JAX and numba.

Results are compared with those of plain NumPy before anything is measured.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import runtime
from tools.bench import array_programs, tensor_programs
from tools.bench.benchmarks.graphs import theirs
from tools.bench.measure import Figure, Measurement, each, paired
from tools.bench.peers import Peer
from tools.bench.session import Session

REPEATS = 7
NATIVE = "{}, native"
TOLERANCE = 1e-3
"""Largest relative difference of sums of results: the programs add in different orders."""


def run(session: Session) -> Iterator[Figure]:
    for make in tensor_programs.PROGRAMS:
        yield from figures(make.__name__, session)


def figures(name: str, session: Session) -> Iterator[Figure]:
    """The figures of one program, each engine beside each peer."""
    plain, given = getattr(array_programs, name)(np)
    want = checksum(plain(*given))
    numpy = each(lambda: plain(*given))
    peers = {"numpy": numpy, **dict(others(name, want, session))}
    makes = {name: getattr(tensor_programs, name), NATIVE.format(name): native(name)}
    for label, make in makes.items():
        function, arguments = make(runtime)
        check(label, checksum(function(*arguments)), want)
        ours = each(lambda call=function, held=arguments: call(*held))  # type: ignore[misc]
        for peer, measurement in peers.items():
            yield paired(label, ours, peer, measurement, repeats=REPEATS)


def native(name: str) -> Callable[[Any], Any]:
    return tensor_programs.COMPILED[f"{name}_compiled"]


def others(name: str, want: float, session: Session) -> Iterator[tuple[str, Measurement]]:
    """The peers that run a program."""
    for peer in session.peers:
        if peer.library == "tensorflow":
            path = tensor_programs.__file__
            programs = {"tensorflow": name, "tensorflow xla": f"{name}_compiled"}
        elif peer.library == "jax" or (
            peer.library == "numba" and name in array_programs.NATURAL_IN_NUMBA
        ):
            path, programs = array_programs.__file__, {peer.library: name}
        else:
            continue
        for label, program in programs.items():
            found = result(peer, path, program)
            if found is not None:
                check(label, found, want)
                yield label, theirs(peer, path, program)


def result(peer: Peer, path: str, name: str) -> float | None:
    """The checksum of a peer's results; None where it does not compile the program."""
    try:
        return peer.ask("checksum", path=path, name=name)
    except RuntimeError as error:
        print(f"  {name}: {str(error)[:100]}")
        return None


def checksum(results: Any) -> float:
    """The sum of the magnitudes of all results."""
    leaves = results if isinstance(results, (tuple, list)) else [results]
    return float(sum(np.abs(np.asarray(leaf, np.float64)).sum() for leaf in leaves))


def check(label: str, found: float, want: float) -> None:
    """Raises ValueError if results differ from plain NumPy's."""
    if not math.isclose(found, want, rel_tol=TOLERANCE):
        raise ValueError(f"{label} computes results whose magnitudes sum to {found}, not {want}")
