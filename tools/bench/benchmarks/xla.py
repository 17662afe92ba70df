"""The XLA engine, beside the other two, plain NumPy and JAX's own `jit`.

It needs JAX where this runs; `--peer jax=PYTHON` names where JAX runs by itself.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator

import numpy as np

import runtime
from tools.bench import array_programs, tensor_programs
from tools.bench.benchmarks.workloads import REPEATS, check, checksum, native, others
from tools.bench.measure import Figure, each, paired
from tools.bench.session import Session

PROGRAMS = ("lstm_cell", "black_scholes", "recurrent")


def run(session: Session) -> Iterator[Figure]:
    if importlib.util.find_spec("jax") is None:
        return
    for name in PROGRAMS:
        yield from figures(name, session)


def figures(name: str, session: Session) -> Iterator[Figure]:
    """The figures of one program beside each peer."""
    plain, given = getattr(array_programs, name)(np)
    want = checksum(plain(*given))
    peers = {"numpy": each(lambda: plain(*given)), **dict(others(name, want, session))}
    if importlib.util.find_spec("llvmlite") is not None:
        compiled, values = native(name)(runtime)
        compiled(*values)
        peers["native"] = each(lambda: compiled(*values))
    function, arguments = getattr(tensor_programs, name)(runtime)
    runtime.config.experimental.set_engine("xla")
    try:
        check(name, checksum(function(*arguments)), want)
        ours = each(lambda: function(*arguments))
        for peer, measurement in peers.items():
            yield paired(f"{name}, xla", ours, peer, measurement, repeats=REPEATS)
    finally:
        runtime.config.experimental.set_engine("plan")
