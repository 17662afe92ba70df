"""What decides which random numbers an operation draws: two seeds, and how many it has drawn."""

from __future__ import annotations

import random
import secrets
import weakref

import numpy as np

from autograph.forks import Lock
from runtime.core.graph import Graph
from runtime.core.thread import STATE
from runtime.ops.random.philox import Stream

_LIMIT = 2**31 - 1
_DEFAULT = 87654321

Seeds = tuple[int, int]


class _Program:
    """The seed of the program, and what follows from it."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.age = 0
        self.seed: int | None = None
        self.deterministic = False
        self.of_operations = random.Random()
        self.of_graphs: weakref.WeakKeyDictionary[Graph, list[int | None]] = (
            weakref.WeakKeyDictionary()
        )
        self.shared: dict[tuple[str, int, int], Draws] = {}


class Draws:
    """How far an operation has gone in its stream; a new seed of the program takes it back.

    Attributes:
      seeds: the seeds of the stream.
    """

    def __init__(self, seeds: Seeds) -> None:
        """Begins the stream of these seeds; (0, 0): one that differs in each run."""
        self.seeds = seeds
        self._age = -1
        self._stream = Stream(0, 0)

    def reserve(self, blocks: int) -> Stream:
        """The stream from here on; the next call goes on behind that many blocks."""
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
        """Gives a text that is the same in each run."""
        return "Draws"


_PROGRAM = _Program()


def set_seed(seed: float | None) -> None:
    """Sets the seed of the program, so that its random numbers are the same in every run.

    Together with the seed that an operation may have it decides what the operation draws:

    - neither seed: other numbers in each run;
    - this seed only: each operation has numbers of its own, the same in each run;
    - the operation's seed only: a fixed seed takes the place of this one;
    - both: the two together decide.

    All counts begin anew, those of functions too. A function that has been traced keeps the seed
    with which it was traced.

    Args:
      seed: any number, of which a fraction counts for operations that run at once alone; None:
        there is no seed.

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


def enable_op_determinism() -> None:
    """Makes a program draw the same numbers in each run: without a seed drawing is an error.

    All other operations give the same results in each run anyway.

    >>> import runtime as tf
    >>> tf.random.set_seed(7)
    >>> enable_op_determinism()
    >>> tf.random.uniform([2]).shape
    TensorShape([2])
    >>> _PROGRAM.deterministic = False
    """
    _PROGRAM.deterministic = True


def operation_seeds(seed: int | None) -> Seeds:
    """The two seeds of an operation that has the seed `seed` of its own; (0, 0) for none."""
    with _PROGRAM.lock:
        graph: Graph | None = STATE.graph
        known = [_PROGRAM.seed, 0] if graph is None else _of_graph(graph)
        program = known[0]
        if program is None:
            if seed is None and _PROGRAM.deterministic:
                raise RuntimeError(
                    "Random ops require a seed to be set when determinism is enabled. Please set a "
                    "seed before running the op, e.g. by calling tf.random.set_seed(1)."
                )
            return (0, 0) if seed is None else (_DEFAULT, seed % _LIMIT)
        if seed is None and graph is None:
            seed = _PROGRAM.of_operations.randint(0, _LIMIT)
        elif seed is None:
            seed = known[1] or 0
            known[1] = seed + 1
        seeds = (program % _LIMIT, seed % _LIMIT)
        return (0, _LIMIT) if seeds == (0, 0) else seeds


def _of_graph(graph: Graph) -> list[int | None]:
    """The seed of a graph, and how many operations without seed it has."""
    known = _PROGRAM.of_graphs.get(graph)
    if known is None:
        seed = _PROGRAM.seed if graph.outer is None else _of_graph(graph.outer)[0]
        known = _PROGRAM.of_graphs[graph] = [seed, 0]
    return known


def shared_draws(op_name: str, seeds: Seeds) -> Draws:
    """The count that all eager calls of one kind with the same seeds have in common."""
    with _PROGRAM.lock:
        key = (op_name, *seeds)
        draws = _PROGRAM.shared.get(key)
        if draws is None:
            draws = _PROGRAM.shared[key] = Draws(seeds)
        return draws


def new_draws(seeds: Seeds) -> Draws | None:
    """The count of an operation of a graph; None where operations run at once."""
    return None if STATE.graph is None else Draws(seeds)
