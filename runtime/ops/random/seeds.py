"""Seeds of the program and of operations, and how far each operation has advanced its stream."""

from __future__ import annotations

import random
import secrets
import weakref

import numpy as np

from autograph.forks import Lock
from runtime.core.graph import Graph
from runtime.core.thread import STATE
from runtime.ops.base.arguments import static_int
from runtime.ops.random.philox import Stream

_LIMIT = 2**31 - 1
"""Seeds are taken modulo this, as by TensorFlow's `get_seed`."""

_DEFAULT = 87654321
"""The seed of the program for operations that have one of their own; TensorFlow's."""

Seeds = tuple[int, int]


class _Program:
    """The seed of the program, and all state that `set_seed` resets."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.age = 0
        self.seed: int | None = None
        self.of_operations = random.Random()
        self.of_graphs: weakref.WeakKeyDictionary[Graph, list[int | None]] = (
            weakref.WeakKeyDictionary()
        )
        self.shared: dict[tuple[str, int, int], Draws] = {}


class Draws:
    """The position of an operation in its stream; `set_seed` resets it.

    Attributes:
      seeds: the seeds of the stream.
    """

    def __init__(self, seeds: Seeds) -> None:
        """Begin the stream of these seeds; (0, 0): one that differs in each run."""
        self.seeds = seeds
        self._age = -1
        self._stream = Stream(0, 0)

    def reserve(self, blocks: int) -> Stream:
        """Return the rest of the stream, and advance by that many blocks."""
        with _PROGRAM.lock:
            if self._age != _PROGRAM.age:
                self._age = _PROGRAM.age
                own = self.seeds
                first = own if own != (0, 0) else (secrets.randbits(64), secrets.randbits(64))
                self._stream = Stream.of_seeds(*first)
            stream = self._stream
            self._stream = stream.skipped(blocks)
            return stream

    def __repr__(self) -> str:
        """Return a text that is the same in each run."""
        return "Draws"


_PROGRAM = _Program()


def set_seed(seed: float | None) -> None:
    """Set the seed of the program, so that its random numbers are the same in every run.

    The samples of an operation depend on this seed and the operation's own:

    - neither: they differ in each run;
    - this seed only: each operation has its own samples, the same in each run;
    - the operation's seed only: a default takes the place of this seed;
    - both: the two determine the samples.

    All streams start over, those of functions too. A traced function keeps the seed of the time of
    tracing.

    Args:
      seed: a number, whose fraction counts for eager operations only; None: no seed.

    Raises: TypeError for anything else.

    >>> import runtime as tf
    >>> tf.random.set_seed(5); tf.random.uniform([2]).numpy(), tf.random.uniform([1]).numpy()
    (array([0.6263931, 0.5298432], dtype=float32), array([0.7017075], dtype=float32))
    >>> tf.random.set_seed(5); tf.random.uniform([2]).numpy()
    array([0.6263931, 0.5298432], dtype=float32)
    """
    if seed is not None and not isinstance(seed, (int, float, np.integer, np.floating)):
        raise TypeError(
            f"the seed is {seed!r}, of type {type(seed).__name__}, and must be a number or None. "
            "Use zlib.crc32 for a number of a text."
        )
    whole = None if seed is None else int(seed)
    graph: Graph | None = STATE.graph
    with _PROGRAM.lock:
        if graph is not None:
            _PROGRAM.of_graphs.setdefault(graph, [whole, 0])[0] = whole
            return
        _PROGRAM.age += 1
        _PROGRAM.seed = whole
        _PROGRAM.of_operations = random.Random(whole if whole == seed else float(seed or 0))
        _PROGRAM.shared.clear()


def operation_seeds(seed: int | None) -> Seeds:
    """Return the two seeds of an operation with seed `seed`; (0, 0) for none.

    Raises: TypeError for a seed that is not an integer.
    """
    seed = None if seed is None else static_int("seed", seed)
    with _PROGRAM.lock:
        graph: Graph | None = STATE.graph
        known = [_PROGRAM.seed, 0] if graph is None else _of_graph(graph)
        program = known[0]
        if program is None:
            return (0, 0) if seed is None else (_DEFAULT, seed % _LIMIT)
        if seed is None and graph is None:
            seed = _PROGRAM.of_operations.randint(0, _LIMIT)
        elif seed is None:
            seed = known[1] or 0
            known[1] = seed + 1
        seeds = (program % _LIMIT, seed % _LIMIT)
        return (0, _LIMIT) if seeds == (0, 0) else seeds


def _of_graph(graph: Graph) -> list[int | None]:
    """Return the seed of a graph, and the number of its operations without one, as a list."""
    known = _PROGRAM.of_graphs.get(graph)
    if known is None:
        seed = _PROGRAM.seed if graph.outer is None else _of_graph(graph.outer)[0]
        known = _PROGRAM.of_graphs[graph] = [seed, 0]
    return known


def shared_draws(op_name: str, seeds: Seeds) -> Draws:
    """Return the position that all eager calls of one kind with the same seeds share."""
    with _PROGRAM.lock:
        key = (op_name, *seeds)
        draws = _PROGRAM.shared.get(key)
        if draws is None:
            draws = _PROGRAM.shared[key] = Draws(seeds)
        return draws
